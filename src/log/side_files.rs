//! The small files beside a metadata log. Their faults are findings, never the end of reading.

use crate::error::Place;
use crate::finding::{Code, Finding, Findings};
use crate::ids::{Epoch, NodeId, Offset, Uuid};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

/// Those that were found.
#[derive(Clone, Debug, Default)]
pub struct SideFiles {
    /// The node's identity, from the folder or the one above it.
    pub meta_properties: Option<MetaProperties>,
    /// The last election that the node took part in.
    pub quorum_state: Option<QuorumState>,
    /// Where each epoch begins.
    pub leader_epochs: Option<LeaderEpochs>,
    /// The topic id of the folder.
    pub partition_metadata: Option<PartitionMetadata>,
}

/// `meta.properties`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetaProperties {
    /// The file.
    pub path: Arc<Path>,
    /// 0 (from ZooKeeper times) or 1.
    pub version: i32,
    /// `node.id`, in version 0 `broker.id`.
    pub node_id: Option<NodeId>,
    /// `cluster.id`.
    pub cluster_id: Option<String>,
    /// `directory.id`, since 3.7.
    pub directory_id: Option<Uuid>,
    /// All keys as they stand.
    pub all: BTreeMap<String, String>,
}

/// `quorum-state`, version 0 or 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuorumState {
    /// The file.
    pub path: Arc<Path>,
    /// 0 while kraft.version is 0, else 1.
    pub data_version: i64,
    /// -1 when unknown.
    pub leader_id: NodeId,
    /// May exceed the last epoch of the log.
    pub leader_epoch: Epoch,
    /// -1 when the node has not voted.
    pub voted_id: NodeId,
    /// Version 1: the directory id of the candidate; none when it is zero.
    pub voted_directory_id: Option<Uuid>,
    /// Version 0: the static voters, when they are not null.
    pub current_voters: Option<Vec<NodeId>>,
}

/// `leader-epoch-checkpoint`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaderEpochs {
    /// The file.
    pub path: Arc<Path>,
    /// Each epoch and its first offset.
    pub entries: Vec<(Epoch, Offset)>,
}

/// `partition.metadata`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionMetadata {
    /// The file.
    pub path: Arc<Path>,
    /// 0.
    pub version: i32,
    /// That of the metadata topic has the same bytes as [`Uuid::UNASSIGNED`].
    pub topic_id: Uuid,
}

impl MetaProperties {
    /// Reads a `meta.properties`. Nothing when there is none, and a finding when it does not read.
    #[must_use]
    pub fn read(path: &Path, findings: &mut Findings) -> Option<Self> {
        read(path, findings, meta_properties)
    }
}

impl PartitionMetadata {
    /// Reads a `partition.metadata`. Nothing when there is none, and a finding when it does not read.
    #[must_use]
    pub fn read(path: &Path, findings: &mut Findings) -> Option<Self> {
        read(path, findings, partition_metadata)
    }
}

impl SideFiles {
    /// Those of a metadata folder.
    pub(crate) fn of_folder(folder: &Path, findings: &mut Findings) -> Self {
        let meta = "meta.properties";
        let own = read(&folder.join(meta), findings, meta_properties);
        // The folder "x" lies in "", and "." in "..".
        let above = || match folder.parent() {
            Some(parent) if folder.file_name().is_some() => parent.join(meta),
            _ => folder.join("..").join(meta),
        };
        Self {
            meta_properties: own.or_else(|| read(&above(), findings, meta_properties)),
            quorum_state: read(&folder.join("quorum-state"), findings, quorum_state),
            leader_epochs: read(
                &folder.join("leader-epoch-checkpoint"),
                findings,
                leader_epochs,
            ),
            partition_metadata: read(
                &folder.join("partition.metadata"),
                findings,
                partition_metadata,
            ),
        }
    }

    /// Those beside a file that was opened by itself: all when it lies in a metadata folder, else
    /// none, since what lies around a copied file need not belong to it.
    pub(crate) fn of_file(path: &Path, findings: &mut Findings) -> Self {
        let Some(folder) = path.parent() else {
            return Self::default();
        };
        if folder.join("quorum-state").is_file() {
            return Self::of_folder(folder, findings);
        }
        if path
            .file_name()
            .is_some_and(|n| n == "bootstrap.checkpoint")
        {
            let meta = read(&folder.join("meta.properties"), findings, meta_properties);
            return Self {
                meta_properties: meta,
                ..Self::default()
            };
        }
        Self::default()
    }
}

/// None of these files is ever near this size.
const LIMIT: u64 = 16 << 20;

type Parsed<T> = Result<T, String>;

fn read<T>(
    path: &Path,
    findings: &mut Findings,
    parse: impl FnOnce(Arc<Path>, &[u8]) -> Parsed<T>,
) -> Option<T> {
    let mut bytes = Vec::new();
    // Opening a pipe would wait for a writer for ever.
    let regular = path.metadata().and_then(|m| {
        let other = || std::io::Error::other("no regular file");
        m.is_file().then_some(()).ok_or_else(other)
    });
    let result = regular
        .and_then(|()| std::fs::File::open(path))
        .and_then(|file| file.take(LIMIT.saturating_add(1)).read_to_end(&mut bytes));
    let parsed = match result {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return None,
        Err(e) => Err(e.to_string()),
        Ok(_) if bytes.len() as u64 > LIMIT => Err(format!("more than {LIMIT} bytes")),
        Ok(_) => parse(path.into(), &bytes),
    };
    match parsed {
        Ok(parsed) => Some(parsed),
        Err(what) => {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            findings.push(Finding::new(
                Code::BadSideFile,
                Place::file(path),
                format!("{name} does not read: {what}"),
            ));
            None
        }
    }
}

// Kafka: MetaProperties.
fn meta_properties(path: Arc<Path>, bytes: &[u8]) -> Parsed<MetaProperties> {
    let all = properties(bytes)?;
    let version = match all.get("version") {
        None => 0,
        Some(text) => number(text, "version")?,
    };
    if !(0..=1).contains(&version) {
        return Err(format!("version {version} is unknown"));
    }
    let id = if version == 0 { "broker.id" } else { "node.id" };
    let node_id = all
        .get(id)
        .map(|text| number(text, id))
        .transpose()?
        .map(NodeId);
    let cluster_id = all.get("cluster.id").cloned();
    if version == 1 && node_id.is_none() {
        return Err("node.id is missing".into());
    }
    if version == 1 && cluster_id.is_none() {
        return Err("cluster.id is missing".into());
    }
    let directory_id = match all.get("directory.id") {
        None => None,
        Some(text) => Some(
            text.parse()
                .map_err(|e| format!("directory.id {text:?}: {e}"))?,
        ),
    };
    Ok(MetaProperties {
        path,
        version,
        node_id,
        cluster_id,
        directory_id,
        all,
    })
}

fn number<T: std::str::FromStr>(text: &str, what: &str) -> Parsed<T> {
    text.trim()
        .parse()
        .map_err(|_| format!("{what} is {text:?}, not a number"))
}

/// The syntax of Java's Properties: comments, `=`, `:` or white space between key and value, lines
/// joined by a backslash at their end, escapes.
fn properties(bytes: &[u8]) -> Parsed<BTreeMap<String, String>> {
    let text = std::str::from_utf8(bytes).map_err(|e| e.to_string())?;
    let mut all = BTreeMap::new();
    let mut lines = text.split(['\n', '\r']);
    while let Some(line) = lines.next() {
        let mut line = line.trim_start().to_owned();
        if line.is_empty() || line.starts_with(['#', '!']) {
            continue;
        }
        while line.chars().rev().take_while(|c| *c == '\\').count() & 1 == 1 {
            line.pop();
            // A carriage return before the line feed makes an empty line of its own.
            let next = lines.find(|next| !next.is_empty()).unwrap_or_default();
            line.push_str(next.trim_start());
        }
        let (key, rest) = word(&line, |c| c == '=' || c == ':' || c.is_whitespace())?;
        let rest = rest.trim_start();
        let rest = rest.strip_prefix(['=', ':']).unwrap_or(rest).trim_start();
        let (value, _) = word(rest, |_| false)?;
        all.insert(key, value);
    }
    Ok(all)
}

/// Unescapes up to an end that is not escaped.
fn word(text: &str, ends: impl Fn(char) -> bool) -> Parsed<(String, &str)> {
    let mut out = Vec::new();
    let mut chars = text.chars();
    loop {
        let rest = chars.as_str();
        match chars.next() {
            None => return Ok((utf16(&out), "")),
            Some(c) if ends(c) => return Ok((utf16(&out), rest)),
            Some('\\') => match chars.next() {
                Some('u') => {
                    let (hex, after) = chars
                        .as_str()
                        .split_at_checked(4)
                        .ok_or("a cut \\u escape")?;
                    let unit = u16::from_str_radix(hex, 16).map_err(|_| "a bad \\u escape")?;
                    out.push(unit);
                    chars = after.chars();
                }
                Some('t') => out.push(u16::from(b'\t')),
                Some('n') => out.push(u16::from(b'\n')),
                Some('r') => out.push(u16::from(b'\r')),
                Some('f') => out.push(0x0c),
                Some(c) => out.extend(c.encode_utf16(&mut [0; 2]).iter()),
                None => {}
            },
            Some(c) => out.extend(c.encode_utf16(&mut [0; 2]).iter()),
        }
    }
}

fn utf16(units: &[u16]) -> String {
    String::from_utf16_lossy(units)
}

// Kafka: FileQuorumStateStore reads the first line only.
fn quorum_state(path: Arc<Path>, bytes: &[u8]) -> Parsed<QuorumState> {
    let line = bytes.split(|b| *b == b'\n').next().unwrap_or_default();
    let json: Value = serde_json::from_slice(line).map_err(|e| e.to_string())?;
    let whole = |name: &str| json.get(name).and_then(Value::as_i64);
    let data_version = whole("data_version").ok_or("data_version is missing")?;
    if !(0..=1).contains(&data_version) {
        return Err(format!("data_version {data_version} is unknown"));
    }
    let small = |name: &str| {
        let value = whole(name).ok_or_else(|| format!("{name} is missing"))?;
        i32::try_from(value).map_err(|_| format!("{name} {value} is beyond its range"))
    };
    let voted_directory_id = match json.get("votedDirectoryId").and_then(Value::as_str) {
        None => None,
        Some(text) => Some(
            text.parse::<Uuid>()
                .map_err(|e| format!("votedDirectoryId {text:?}: {e}"))?,
        ),
    };
    let current_voters = json
        .get("currentVoters")
        .and_then(Value::as_array)
        .map(|voters| {
            let id = |v: &Value| i32::try_from(v.get("voterId")?.as_i64()?).ok().map(NodeId);
            voters.iter().filter_map(id).collect()
        });
    Ok(QuorumState {
        path,
        data_version,
        leader_id: NodeId(small("leaderId")?),
        leader_epoch: Epoch(small("leaderEpoch")?),
        voted_id: NodeId(small("votedId")?),
        voted_directory_id: voted_directory_id.filter(|id| *id != Uuid::ZERO),
        current_voters,
    })
}

// Kafka: CheckpointFile.
fn leader_epochs(path: Arc<Path>, bytes: &[u8]) -> Parsed<LeaderEpochs> {
    let text = std::str::from_utf8(bytes).map_err(|e| e.to_string())?;
    let mut lines = text.lines();
    let Some(version) = lines.next() else {
        return Ok(LeaderEpochs {
            path,
            entries: Vec::new(),
        });
    };
    if number::<i64>(version, "version")? != 0 {
        return Err(format!("version {version} is unknown"));
    }
    let count: u64 = number(
        lines.next().ok_or("the entry count is missing")?,
        "entry count",
    )?;
    let mut entries = Vec::new();
    for line in lines {
        let mut fields = line.split_whitespace();
        let (Some(epoch), Some(offset), None) = (fields.next(), fields.next(), fields.next())
        else {
            return Err(format!("{line:?} is not an epoch and an offset"));
        };
        let entry = (
            Epoch(number(epoch, "epoch")?),
            Offset(number(offset, "offset")?),
        );
        if entries
            .last()
            .is_some_and(|(e, o)| entry.0 <= *e || entry.1 <= *o)
        {
            return Err(format!("the entry {line:?} does not rise"));
        }
        entries.push(entry);
    }
    if entries.len() as u64 != count {
        return Err(format!(
            "{count} entries announced, {} found",
            entries.len()
        ));
    }
    Ok(LeaderEpochs { path, entries })
}

/// The id that the metadata topic has everywhere.
// Kafka: Uuid.METADATA_TOPIC_ID.
pub(crate) const METADATA_TOPIC: Uuid = Uuid::UNASSIGNED;

/// The topic id that a folder's `partition.metadata` gives, when it reads.
pub(crate) fn partition_id(folder: &Path) -> Option<Uuid> {
    let path = folder.join("partition.metadata");
    PartitionMetadata::read(&path, &mut Findings::default()).map(|p| p.topic_id)
}

// Kafka: PartitionMetadataFile.
fn partition_metadata(path: Arc<Path>, bytes: &[u8]) -> Parsed<PartitionMetadata> {
    let text = std::str::from_utf8(bytes).map_err(|e| e.to_string())?;
    let field = |name: &str| {
        let mut values = text.lines().filter_map(|line| line.split_once(':'));
        let value = values
            .find(|(key, _)| key.trim() == name)
            .map(|(_, value)| value.trim());
        value.ok_or_else(|| format!("{name} is missing"))
    };
    let version = number(field("version")?, "version")?;
    if version != 0 {
        return Err(format!("version {version} is unknown"));
    }
    let id = field("topic_id")?;
    let topic_id = id.parse().map_err(|e| format!("topic_id {id:?}: {e}"))?;
    Ok(PartitionMetadata {
        path,
        version,
        topic_id,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(name: &str) -> Arc<Path> {
        Path::new(name).into()
    }

    #[test]
    fn properties_are_javas() {
        let text =
            "# a comment\n! another\r\n  a = 1\nb\\:c:2\\\n   3\nd e\\u0041\\t\\\\\n\nempty\n";
        let all = properties(text.as_bytes()).unwrap();
        let pair = |key: &str| all.get(key).map(String::as_str);
        assert_eq!(pair("a"), Some("1"));
        assert_eq!(pair("b:c"), Some("23"));
        assert_eq!(pair("d"), Some("eA\t\\"));
        assert_eq!(pair("empty"), Some(""));
        assert_eq!(all.len(), 4);
        assert!(properties(b"a=\\u00").is_err());
    }

    #[test]
    fn identities_of_both_versions() {
        let old = meta_properties(at("m"), b"broker.id=7\n").unwrap();
        assert_eq!(
            (old.version, old.node_id, old.cluster_id),
            (0, Some(NodeId(7)), None)
        );
        let new = b"version=1\nnode.id=3\ncluster.id=c\ndirectory.id=AAAAAAAAAAAAAAAAAAAAAg\n";
        let new = meta_properties(at("m"), new).unwrap();
        assert_eq!(
            (new.node_id, new.cluster_id.as_deref()),
            (Some(NodeId(3)), Some("c"))
        );
        assert_eq!(new.directory_id, Some(Uuid::LOST));
        for bad in [
            "version=2\n",
            "version=1\ncluster.id=c\n",
            "version=1\nnode.id=3\n",
            "version=x",
        ] {
            assert!(meta_properties(at("m"), bad.as_bytes()).is_err(), "{bad}");
        }
    }

    #[test]
    fn quorum_states_of_both_versions() {
        let v0 = br#"{"clusterId":"","leaderId":1,"leaderEpoch":4,"votedId":-1,"appliedOffset":0,"currentVoters":[{"voterId":1},{"voterId":2}],"data_version":0}"#;
        let v0 = quorum_state(at("q"), v0).unwrap();
        assert_eq!(v0.current_voters, Some(vec![NodeId(1), NodeId(2)]));
        assert_eq!(
            (v0.leader_id, v0.leader_epoch, v0.voted_id),
            (NodeId(1), Epoch(4), NodeId(-1))
        );
        let v1 = br#"{"leaderId":1,"leaderEpoch":1,"votedId":2,"votedDirectoryId":"AAAAAAAAAAAAAAAAAAAAAg","data_version":1}"#;
        let v1 = quorum_state(at("q"), v1).unwrap();
        assert_eq!(
            (v1.voted_directory_id, v1.current_voters),
            (Some(Uuid::LOST), None)
        );
        for bad in [
            "",
            "{}",
            r#"{"data_version":2}"#,
            r#"{"data_version":0,"leaderId":5000000000}"#,
        ] {
            assert!(quorum_state(at("q"), bad.as_bytes()).is_err(), "{bad}");
        }
    }

    #[test]
    fn leader_epochs_rise() {
        let read = |text: &str| leader_epochs(at("l"), text.as_bytes()).map(|l| l.entries);
        assert_eq!(read(""), Ok(vec![]));
        assert_eq!(read("0\n0\n"), Ok(vec![]));
        let two = vec![(Epoch(1), Offset(0)), (Epoch(3), Offset(9))];
        assert_eq!(read("0\n2\n1 0\n3 9\n"), Ok(two));
        for bad in [
            "1\n0\n",
            "0\n2\n1 0\n",
            "0\n1\n1\n",
            "0\n2\n1 0\n1 9\n",
            "0\n2\n1 5\n2 5\n",
            "0",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
