//! The JSON header of a `.safetensors` file: [`Header`].

use std::collections::HashMap;
use std::fmt;

use safetensors::tensor::TensorInfo;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};

/// The key of the header that has user metadata instead of a tensor.
pub(super) const METADATA_KEY: &str = "__metadata__";

/// The content of a header, with the tensors sorted by their offsets. Repeated names are errors; the parser of the crate
/// `safetensors` keeps the last one.
pub(super) struct Header {
    pub(super) user_metadata: Option<HashMap<String, String>>,
    pub(super) tensors: Vec<(String, TensorInfo)>,
}

impl<'de> Deserialize<'de> for Header {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Header, D::Error> {
        let mut header = Header { user_metadata: None, tensors: Vec::new() };
        let values: UniqueKeys<Entry> = UniqueKeys::deserialize(deserializer)?;
        for (name, value) in values.0 {
            match value {
                Entry::UserMetadata(user_metadata) => header.user_metadata = Some(user_metadata),
                Entry::Tensor(info) => header.tensors.push((name, info)),
            }
        }
        header.tensors.sort_by(|(a, left), (b, right)| (left.data_offsets, a).cmp(&(right.data_offsets, b)));
        Ok(header)
    }
}

/// A JSON object; a repeated key is an error.
struct UniqueKeys<V>(HashMap<String, V>);

/// A JSON value whose type may depend on its key.
trait KeyedValue: Sized {
    fn next<'de, A: MapAccess<'de>>(name: &str, map: &mut A) -> Result<Self, A::Error>;
}

impl KeyedValue for String {
    fn next<'de, A: MapAccess<'de>>(_: &str, map: &mut A) -> Result<String, A::Error> {
        map.next_value()
    }
}

/// The value of a key of the header.
enum Entry {
    UserMetadata(HashMap<String, String>),
    Tensor(TensorInfo),
}

impl KeyedValue for Entry {
    fn next<'de, A: MapAccess<'de>>(name: &str, map: &mut A) -> Result<Entry, A::Error> {
        if name == METADATA_KEY {
            return map.next_value::<UniqueKeys<String>>().map(|user_metadata| Entry::UserMetadata(user_metadata.0));
        }
        map.next_value().map(Entry::Tensor).map_err(|e| A::Error::custom(format!("tensor {name:?}: {e}")))
    }
}

impl<'de, V: KeyedValue> Deserialize<'de> for UniqueKeys<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<UniqueKeys<V>, D::Error> {
        struct Values<V>(HashMap<String, V>);
        impl<'de, V: KeyedValue> Visitor<'de> for Values<V> {
            type Value = UniqueKeys<V>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<UniqueKeys<V>, A::Error> {
                while let Some(name) = map.next_key::<String>()? {
                    let value = V::next(&name, &mut map)?;
                    if self.0.contains_key(&name) {
                        return Err(A::Error::custom(format!("duplicate key {name:?}")));
                    }
                    self.0.insert(name, value);
                }
                Ok(UniqueKeys(self.0))
            }
        }
        deserializer.deserialize_map(Values(HashMap::new()))
    }
}
