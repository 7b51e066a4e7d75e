//! JSON answers have the documented shapes.

use super::{arg, kraftlens};
use crate::support::{project, samples, trees, walk};
use serde_json::{Map, Value};

/// Holds a value against a schema: the part of JSON Schema that ours use, and an error at any other.
struct Schema(Value);

impl Schema {
    fn read(name: &str) -> Self {
        let path = project().join("docs/schema").join(name);
        Self(serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap())
    }

    fn definition(&self, reference: &str) -> &Value {
        let pointer = reference.strip_prefix('#').unwrap();
        self.0
            .pointer(pointer)
            .unwrap_or_else(|| panic!("no {reference}"))
    }

    fn check(&self, value: &Value) -> Result<(), String> {
        self.check_at(&self.0, value, "")
    }

    fn check_at(&self, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        let wrong = |what: &str| Err(format!("{at}: {value} {what}"));
        for (key, rule) in schema.as_object().unwrap() {
            match key.as_str() {
                "$schema" | "$defs" | "title" | "description" => {}
                "$ref" => self.check_at(self.definition(rule.as_str().unwrap()), value, at)?,
                "const" if rule != value => return wrong("is another constant"),
                "enum" if !rule.as_array().unwrap().contains(value) => {
                    return wrong("is not listed");
                }
                "const" | "enum" => {}
                "type" => {
                    let types = rule
                        .as_array()
                        .cloned()
                        .unwrap_or_else(|| vec![rule.clone()]);
                    if !types.iter().any(|t| t == type_of(value)) {
                        return wrong(&format!("is no {rule}"));
                    }
                }
                "anyOf" => {
                    let mut all = rule.as_array().unwrap().iter();
                    if !all.any(|one| self.check_at(one, value, at).is_ok()) {
                        return wrong("fits none");
                    }
                }
                "properties" => self.check_properties(rule, value, at)?,
                "required" => {
                    for name in rule.as_array().unwrap() {
                        if value.get(name.as_str().unwrap()).is_none() {
                            return wrong(&format!("has no {name}"));
                        }
                    }
                }
                "additionalProperties" => {
                    assert_eq!(rule, &Value::Bool(false));
                    let known = schema["properties"].as_object().unwrap();
                    for name in value.as_object().unwrap_or(&Map::new()).keys() {
                        if !known.contains_key(name) {
                            return wrong(&format!("has {name}"));
                        }
                    }
                }
                "items" => {
                    for (n, item) in value.as_array().unwrap_or(&Vec::new()).iter().enumerate() {
                        self.check_at(rule, item, &format!("{at}/{n}"))?;
                    }
                }
                other => panic!("the schema uses {other}"),
            }
        }
        Ok(())
    }

    fn check_properties(&self, rules: &Value, value: &Value, at: &str) -> Result<(), String> {
        for (name, rule) in rules.as_object().unwrap() {
            if let Some(value) = value.get(name) {
                self.check_at(rule, value, &format!("{at}/{name}"))?;
            }
        }
        Ok(())
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(n) if n.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[test]
fn answers_fit_their_schemas() {
    let (nodes, info) = (Schema::read("nodes.json"), Schema::read("info.json"));
    let mut folders: Vec<_> = trees().into_iter().map(|tree| tree.sample).collect();
    folders.push(samples().join("every-record"));
    for folder in &folders {
        let path = arg(folder);
        for (schema, args) in [
            (&info, vec!["info", path]),
            (&nodes, vec!["ls", path, "/", "/*", "/*/*"]),
            (&nodes, vec!["cat", path, "/*/*/*", "/findings/*"]),
            (&nodes, vec!["cat", path, "/nope"]),
            (&nodes, vec!["find", path]),
            (&nodes, vec!["tree", path, "/"]),
        ] {
            let mut args = args;
            args.extend(["--format", "json"]);
            let ran = kraftlens(&args);
            let answer: Value = serde_json::from_str(&ran.out).unwrap();
            let checked = schema.check(&answer);
            assert_eq!(checked, Ok(()), "{args:?}");
        }
    }
    let several = kraftlens([
        "info",
        arg(&samples().join("kafka-4.4.0-dynamic")),
        "--format",
        "json",
    ]);
    let answer: Value = serde_json::from_str(&several.out).unwrap();
    assert_eq!(info.check(&answer), Ok(()));
    let copies = answer["copies"].as_array().unwrap();
    assert_eq!(copies.len(), 4);
}

#[test]
fn tables_fit_their_schema() {
    let schema = Schema::read("tables.json");
    for sample in [
        "every-record",
        "static-configs",
        "kafka-4.4.0-dynamic/controller-3001",
    ] {
        let path = samples().join(sample);
        for kind in kraftlens::tables::Kind::ALL {
            let list = |more: &[&str]| {
                let mut args = vec!["list", arg(&path), kind.name()];
                args.extend(more);
                kraftlens(&args).out
            };
            let document: Value = serde_json::from_str(&list(&["--format", "json"])).unwrap();
            assert_eq!(schema.check(&document), Ok(()), "{sample} {kind}");
            // A line is a row of the document, with every column in its order.
            let names: Vec<&str> = kind.columns().map(|c| c.name).collect();
            let lines = list(&["--format", "jsonl"]);
            let mut rows = document["rows"].as_array().unwrap().iter();
            for line in lines.lines() {
                let line: Value = serde_json::from_str(line).unwrap();
                assert_eq!(Some(&line), rows.next());
                let mut keys: Vec<&str> = line.as_object().unwrap().keys().map(|k| &**k).collect();
                let mut names = names.clone();
                keys.sort_unstable();
                names.sort_unstable();
                assert_eq!(keys, names);
            }
            assert_eq!(rows.next(), None);
            let first = kind.columns().next().unwrap().name;
            let counts = list(&["--count-by", first, "--format", "json"]);
            let counts: Value = serde_json::from_str(&counts).unwrap();
            assert_eq!(schema.check(&counts), Ok(()), "{sample} {kind}");
        }
    }
}

#[test]
fn lines_of_records_fit_their_schema() {
    let schema = Schema::read("records.json");
    let mut lines = std::collections::BTreeMap::new();
    for folder in [samples(), project().join("tests/dump-log")] {
        let files = walk(&folder).into_iter().filter(|file| {
            let name = file.to_str().unwrap();
            name.ends_with(".log") || name.ends_with(".checkpoint")
        });
        for file in files {
            let ran = kraftlens(["records", arg(&file), "--format", "jsonl"]);
            for line in ran.out.lines() {
                let line: Value = serde_json::from_str(line).unwrap();
                let checked = schema.check(&line);
                assert_eq!(checked, Ok(()), "{}", file.display());
                let kind = line["kind"].as_str().unwrap().to_owned();
                *lines.entry(kind).or_insert(0) += 1;
            }
        }
    }
    // Every kind of line was there, faults and findings in the odd logs.
    assert_eq!(lines.len(), 4);
    assert!(lines["record"] > 5000 && lines["fault"] > 5, "{lines:?}");
}

#[test]
fn a_line_is_a_node_of_the_document() {
    let sample = samples().join("static-configs");
    let document = kraftlens(["tree", arg(&sample), "/", "--format", "json"]).out;
    let document: Value = serde_json::from_str(&document).unwrap();
    let lines = kraftlens(["tree", arg(&sample), "/", "--format", "jsonl"]).out;
    let lines: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(lines.len() > 900);
    assert_eq!(document["nodes"].as_array().unwrap(), &lines);
}

/// The checker itself finds what does not fit.
#[test]
fn what_does_not_fit_is_told() {
    let schema = Schema::read("nodes.json");
    for (answer, wrong) in [
        (r#"{"version":2,"nodes":[]}"#, "is another constant"),
        (r#"{"version":1}"#, "has no \"nodes\""),
        (r#"{"version":1,"nodes":[],"more":0}"#, "has more"),
        (
            r#"{"version":1,"nodes":[{"path":1,"kind":"root","directory":true}]}"#,
            "is no \"string\"",
        ),
        (
            r#"{"version":1,"nodes":[{"path":"/","kind":"door","directory":true}]}"#,
            "is not listed",
        ),
    ] {
        let checked = schema.check(&serde_json::from_str(answer).unwrap());
        assert!(
            checked.clone().is_err_and(|e| e.contains(wrong)),
            "{answer}: {checked:?}"
        );
    }
}
