//! What the command line says of itself.

use super::kraftlens;
use crate::support::project;
use std::fmt::Write as _;

#[test]
fn short_help_and_version() {
    insta::assert_snapshot!("help", kraftlens(["-h"]).out);
    insta::assert_snapshot!("version", kraftlens(["--version"]).out);
}

/// `docs/cli.md` is made of the help texts; KRAFTLENS_REWRITE=1 writes it anew.
#[test]
fn the_reference_is_what_the_commands_say() {
    let mut root = kraftlens::cli::command().term_width(100);
    root.build();
    let mut page = String::from(
        "# The command line\n\nMade from the help texts of the program by a test; \
         `KRAFTLENS_REWRITE=1 cargo test --test it help` writes it anew.\nThe JSON forms are described in \
         [json.md](json.md).\n",
    );
    section(&mut page, "kraftlens", &mut root);
    let names: Vec<String> = root
        .get_subcommands()
        .map(|c| c.get_name().to_owned())
        .collect();
    for name in names.iter().filter(|name| *name != "help") {
        let command = root.find_subcommand_mut(name).unwrap();
        section(&mut page, &format!("kraftlens {name}"), command);
    }
    let path = project().join("docs/cli.md");
    if std::env::var_os("KRAFTLENS_REWRITE").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == page,
        "docs/cli.md is stale: KRAFTLENS_REWRITE=1 writes it anew"
    );
}

fn section(page: &mut String, name: &str, command: &mut clap::Command) {
    let help = command
        .clone()
        .term_width(100)
        .render_long_help()
        .to_string();
    let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
    let _ = write!(
        page,
        "\n## {name}\n\n```text\n{}\n```\n",
        lines.join("\n").trim_end()
    );
}
