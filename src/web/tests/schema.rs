//! As much of JSON Schema as the feed's schema has.

use std::sync::LazyLock;

use serde_json::Value;

use crate::web::public::SCHEMA;

static FEED: LazyLock<Value> = LazyLock::new(|| serde_json::from_str(SCHEMA).expect("the schema is JSON"));

/// What is wrong with an event by the published schema.
pub(super) fn wrong(name: &str, data: &str) -> Result<(), String> {
    let data: Value = serde_json::from_str(data).map_err(|error| error.to_string())?;
    check(&FEED, &serde_json::json!({ name: data }), name)
}

fn check(schema: &Value, value: &Value, path: &str) -> Result<(), String> {
    for (word, rule) in schema.as_object().ok_or("a schema is an object")? {
        let good = match word.as_str() {
            "$schema" | "$id" | "$defs" | "title" | "description" => true,
            "$ref" => {
                let place = rule
                    .as_str()
                    .and_then(|place| place.strip_prefix('#'))
                    .ok_or("a place")?;
                check(FEED.pointer(place).ok_or("a place that is there")?, value, path)?;
                true
            }
            "type" => match rule {
                Value::Array(kinds) => kinds.iter().any(|kind| is(kind, value)),
                kind => is(kind, value),
            },
            "enum" => rule.as_array().is_some_and(|all| all.contains(value)),
            "minimum" => value.as_f64() >= rule.as_f64(),
            "required" => {
                let all = rule.as_array().ok_or("names")?;
                all.iter()
                    .all(|name| value.get(name.as_str().unwrap_or_default()).is_some())
            }
            "minProperties" => value.as_object().map(|all| all.len() as u64) >= rule.as_u64(),
            "maxProperties" => value.as_object().map(|all| all.len() as u64) <= rule.as_u64(),
            "properties" => {
                for (name, inner) in value.as_object().into_iter().flatten() {
                    if let Some(rule) = rule.get(name) {
                        check(rule, inner, &format!("{path}.{name}"))?;
                    }
                }
                true
            }
            "additionalProperties" => {
                let known = schema.get("properties");
                let strange = |name: &String| known.is_none_or(|known| known.get(name).is_none());
                rule != &Value::Bool(false) || !value.as_object().is_some_and(|all| all.keys().any(strange))
            }
            "items" => {
                for (at, inner) in value.as_array().into_iter().flatten().enumerate() {
                    check(rule, inner, &format!("{path}[{at}]"))?;
                }
                true
            }
            other => return Err(format!("{other} is not known to this test")),
        };
        if !good {
            return Err(format!("{path}: {word} {rule} is not kept by {value}"));
        }
    }
    Ok(())
}

fn is(kind: &Value, value: &Value) -> bool {
    match kind.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        _ => false,
    }
}

#[test]
fn what_is_not_in_the_schema_is_found() {
    for (name, data) in [
        ("removed", "{}"),
        ("removed", "{\"table\":-1}"),
        ("removed", "{\"table\":1,\"why\":\"\"}"),
        ("gone", "{}"),
        ("end", "{\"epoch\":1,\"position\":1,\"reset\":\"no\"}"),
    ] {
        assert!(wrong(name, data).is_err(), "{name} {data}");
    }
    assert_eq!(wrong("removed", "{\"table\":1}"), Ok(()));
}
