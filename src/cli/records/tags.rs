//! Tagged fields that no schema knows, wherever in a record they stand.

use crate::record::Field;
use crate::record::dynamic::{Struct, Value};

/// Tells each one: the path of the struct that it stands in (empty for the record itself, else as
/// `endPoints[1]`), its tag, its bytes.
pub(super) fn each<'a>(data: &Struct<'a>, visit: &mut dyn FnMut(&str, u32, &'a [u8])) {
    within("", data, visit);
}

fn within<'a>(path: &str, data: &Struct<'a>, visit: &mut dyn FnMut(&str, u32, &'a [u8])) {
    for view in data.fields() {
        let name = &view.field.json_name;
        let joint = if path.is_empty() { "" } else { "." };
        match view.value {
            Field::Present(Value::Struct(inner)) => {
                within(&format!("{path}{joint}{name}"), &inner, visit);
            }
            Field::Present(Value::Array(list)) => {
                for (n, (item, _)) in list.iter().enumerate() {
                    // Only lists of structs can hold any.
                    let Value::Struct(inner) = item else { break };
                    within(&format!("{path}{joint}{name}[{n}]"), &inner, visit);
                }
            }
            _ => {}
        }
    }
    data.unknown_tags(&mut |tag, span| visit(path, tag, data.bytes(span)));
}
