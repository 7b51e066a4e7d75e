//! Records that own what they hold, as a tree of named fields: what is encoded, and a form in which
//! records read in different ways can be compared.

use super::value::{Array, Field, Text, Wire};
use crate::ids::Uuid;

/// The value of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Owned {
    /// Null.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer of any width.
    Int(i64),
    /// A double.
    Float(f64),
    /// An id.
    Uuid(Uuid),
    /// A string; bytes that need not be UTF-8.
    Text(Vec<u8>),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A list.
    List(Vec<Owned>),
    /// A nested struct.
    Struct(Fields),
}

/// The fields of a record or nested struct, those that are set. Absent ones mean their schema default.
///
/// ```
/// use kraftlens::record::fields;
/// let endpoint = fields().set("Name", "PLAINTEXT").set("Host", "broker-1").set("Port", 9092);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fields {
    pub(super) set: Vec<(String, Owned)>,
    pub(super) tags: Vec<(u32, Vec<u8>)>,
}

/// No fields yet.
#[must_use]
pub fn fields() -> Fields {
    Fields::default()
}

impl Fields {
    /// Sets a field by its schema name, in place of what it was set to before.
    #[must_use]
    pub fn set(mut self, name: &str, value: impl Into<Owned>) -> Self {
        self.put(name, value.into());
        self
    }

    /// Sets a field by its schema name, in place of what it was set to before.
    pub fn put(&mut self, name: &str, value: Owned) {
        match self.set.iter_mut().find(|(n, _)| n == name) {
            Some((_, old)) => *old = value,
            None => self.set.push((name.to_owned(), value)),
        }
    }

    /// Adds a tagged field as raw bytes, whatever the schema says of its tag.
    #[must_use]
    pub fn tag(mut self, tag: u32, bytes: impl Into<Vec<u8>>) -> Self {
        self.tags.push((tag, bytes.into()));
        self
    }

    /// What a field is set to.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Owned> {
        self.set
            .iter()
            .find(|(n, _)| n == name)
            .map(|(_, value)| value)
    }

    /// The fields that are set, in the order they were set.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Owned)> {
        self.set.iter().map(|(name, value)| (name.as_str(), value))
    }
}

/// A typed record or nested struct whose fields can be told by name.
pub trait Visit {
    /// Tells each field in schema order, those of absent fields too.
    fn visit(&self, visitor: &mut dyn FnMut(&'static str, Field<Owned>));

    /// Tells each tagged field that the schema does not know.
    fn visit_unknown(&self, visitor: &mut dyn FnMut(u32, &[u8]));
}

impl<T: Visit> From<&T> for Fields {
    /// The fields that the record holds, and its unknown tags.
    fn from(record: &T) -> Self {
        let mut fields = Self::default();
        record.visit(&mut |name, value| {
            if let Field::Present(value) = value {
                fields.set.push((name.to_owned(), value));
            }
        });
        record.visit_unknown(&mut |tag, bytes| fields.tags.push((tag, bytes.to_vec())));
        fields
    }
}

macro_rules! owned_int {
    ($($type:ty),*) => {$(
        impl From<$type> for Owned {
            fn from(value: $type) -> Self {
                Self::Int(value.into())
            }
        }
    )*};
}

owned_int!(i8, i16, u16, i32, i64);

impl From<bool> for Owned {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<f64> for Owned {
    fn from(value: f64) -> Self {
        Self::Float(value)
    }
}

impl From<Uuid> for Owned {
    fn from(value: Uuid) -> Self {
        Self::Uuid(value)
    }
}

impl From<&str> for Owned {
    fn from(value: &str) -> Self {
        Self::Text(value.as_bytes().to_vec())
    }
}

impl From<String> for Owned {
    fn from(value: String) -> Self {
        Self::Text(value.into_bytes())
    }
}

impl From<&String> for Owned {
    fn from(value: &String) -> Self {
        value.as_str().into()
    }
}

impl From<Text<'_>> for Owned {
    fn from(value: Text<'_>) -> Self {
        Self::Text(value.bytes().to_vec())
    }
}

impl From<&[u8]> for Owned {
    fn from(value: &[u8]) -> Self {
        Self::Bytes(value.to_vec())
    }
}

impl From<Fields> for Owned {
    fn from(value: Fields) -> Self {
        Self::Struct(value)
    }
}

impl<T: Into<Owned>> From<Option<T>> for Owned {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl<T: Into<Owned>> From<Vec<T>> for Owned {
    fn from(value: Vec<T>) -> Self {
        Self::List(value.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Owned>, const N: usize> From<[T; N]> for Owned {
    fn from(value: [T; N]) -> Self {
        Self::List(value.into_iter().map(Into::into).collect())
    }
}

impl<'a, T: Wire<'a> + Into<Owned>> From<Array<'a, T>> for Owned {
    fn from(value: Array<'a, T>) -> Self {
        Self::List(value.iter().map(Into::into).collect())
    }
}
