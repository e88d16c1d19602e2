//! What `korat merge` finds out about shards that are missing, were cut short, or do not fit together.

use serde_json::{Value, json};

use super::Folder;

/// Searches of different shards that one process does at one place are parts of one search.
#[test]
fn shards_in_a_loop_are_one_search() {
    let merged = |variables: &[(&str, &str)]| {
        let folder = Folder::new();
        folder.run("shards_in_a_loop", variables);
        let (code, json, errors) = folder.merge(&["--json"]);
        assert_eq!(errors, "");
        let json: Value = serde_json::from_str(&json).unwrap();
        let mut searches: Vec<(u64, Value, Value, Value)> = Vec::new();
        for it in json["searches"].as_array().unwrap() {
            let (scope, valid) = (it["settings"]["scope"].clone(), it["counts"]["valid"].clone());
            searches.push((it["ordinal"].as_u64().unwrap(), it["shards"]["of"].clone(), scope, valid));
        }
        searches.sort_by_key(|it| it.0);
        (code, searches)
    };
    let search = |ordinal: u64, of: Value, scope: &str, valid: u64| (ordinal, of, json!(scope), json!(valid));
    let expected = vec![
        search(1, Value::Null, "4", 31),
        search(2, json!(3), "4", 31),
        search(3, json!(3), "5", 63),
        search(4, json!(4), "4", 31),
        search(5, json!(4), "5", 63),
    ];
    assert_eq!(merged(&[]), (0, expected));
    // The shard of the environment comes before that of the code, and is the same for all searches.
    let (code, searches) = merged(&[("KORAT_SHARD", "1/1")]);
    let ordinals: Vec<u64> = searches.iter().map(|it| it.0).collect();
    assert_eq!((code, ordinals), (0, (1..=15).collect()));
}
