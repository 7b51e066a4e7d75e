//! Which parts of a record are not shown; what is secret, [`secrets`] decides.

use crate::facts::codes::ConfigResourceType;
use crate::facts::secrets;
use crate::record::Field;
use crate::record::dynamic::{self, Struct, Value};
use crate::schema::Schemas;

pub(super) use secrets::REDACTED;

/// Whether a field of a record is not shown, by its struct and its index there.
pub(super) fn hides(data: &Struct<'_>, index: usize) -> bool {
    let Some(field) = data.layout().fields.get(index) else {
        return true;
    };
    match (data.name(), field.name.as_str()) {
        ("ConfigRecord", "Value") => {
            let kind = match value(data, "ResourceType") {
                Some(Value::Int(n)) => i8::try_from(n).ok(),
                _ => None,
            };
            match (kind, value(data, "Name")) {
                (Some(kind), Some(Value::Text(key))) => {
                    secrets::is_secret_config(ConfigResourceType(kind), &key.to_str())
                }
                _ => true,
            }
        }
        ("BrokerStaticConfig", "Value") => match value(data, "Name") {
            Some(Value::Text(key)) => secrets::is_secret_static_config(&key.to_str()),
            _ => true,
        },
        (record, field) => secrets::is_secret_field(record, field),
    }
}

fn value<'a>(data: &Struct<'a>, name: &str) -> Option<Value<'a>> {
    match data.get(name)?.value {
        Field::Present(value) => Some(value),
        _ => None,
    }
}

/// Whether a whole value is not shown, since its fields cannot be told apart for certain: its type may
/// carry secrets, or has perhaps become another by damage. `trusted`: whether the CRC of its batch is
/// right.
pub(super) fn hides_value(trusted: bool, api_key: Option<i16>, value: &[u8]) -> bool {
    match (trusted, secrets::hides_whole_value(api_key)) {
        (true, false) => false,
        (false, true) => true,
        (true, true) | (false, false) => !reads_to_the_end(value),
    }
}

/// Whether bytes that belong to no field are not shown: unknown tags, leftovers, the value of a
/// record that does not decode. Where the CRC is wrong the type may be as well, so that no type is safe.
pub(super) fn hides_bytes(trusted: bool, api_key: Option<i16>) -> bool {
    !trusted || secrets::hides_whole_value(api_key)
}

fn reads_to_the_end(value: &[u8]) -> bool {
    dynamic::decode(Schemas::builtin(), value).is_ok_and(|record| record.leftover.is_empty())
}
