//! Keeps a test file from being forgotten: one that no module list names would never run.

use crate::support::project;
use std::fs;

#[test]
fn every_file_of_the_folder_is_a_module_of_the_binary() {
    let folder = project().join("tests/it");
    let main = fs::read_to_string(folder.join("main.rs")).unwrap();
    let listed: Vec<&str> = main
        .lines()
        .filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'))
        .collect();
    for entry in fs::read_dir(&folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let (module, code) = match name.strip_suffix(".rs") {
            Some(module) => (module, true),
            None => (name.as_str(), folder.join(&name).join("mod.rs").exists()),
        };
        if code && module != "main" {
            assert!(
                listed.contains(&module),
                "tests/it/{name} is not listed in tests/it/main.rs"
            );
        }
    }
}
