//! A value that is wrong becomes one that occurs elsewhere in the value, before one is made up.

use std::collections::{BTreeMap, HashMap};

use korat::{Finitize, Repair, field, rep_ok};

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Entry {
    key: u32,
    weight: u8,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Store {
    entries: Vec<Entry>,
    by_key: BTreeMap<u32, usize>,
}

#[rep_ok]
impl Store {
    /// The map has the place of every entry.
    fn rep_ok(&self) -> bool {
        self.entries.len() == self.by_key.len()
            && self.entries.iter().enumerate().all(|(at, entry)| self.by_key.get(&entry.key) == Some(&at))
    }
}

#[test]
fn a_key_that_only_the_map_still_has() {
    let keys = [40_000, 7, 123_456, 99, 3_000_000];
    let entries = keys.iter().map(|&key| Entry { key, weight: 1 }).collect();
    let good = Store { entries, by_key: keys.into_iter().zip(0..).collect() };
    for at in 0..keys.len() {
        let mut bad = good.clone();
        bad.entries[at].key = 555;
        let repaired = Repair::new().repair(&mut bad).unwrap();
        assert_eq!(bad, good, "{repaired}");
        assert!(repaired.tries < 50, "{repaired}");
    }
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Person {
    name: String,
    boss: String,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Staff {
    people: Vec<Person>,
}

#[rep_ok]
impl Staff {
    /// Names are unique, and every boss is one of the people.
    fn rep_ok(&self) -> bool {
        self.people.iter().enumerate().all(|(at, person)| {
            self.people.iter().any(|other| other.name == person.boss)
                && self.people[..at].iter().all(|other| other.name != person.name)
        })
    }
}

fn staff() -> Staff {
    let person = |(name, boss): (&str, &str)| Person { name: name.to_string(), boss: boss.to_string() };
    Staff { people: [("ann", "ann"), ("bob", "ann"), ("cyd", "bob"), ("dan", "bob")].map(person).to_vec() }
}

#[test]
fn a_text_that_stands_elsewhere() {
    let mut bad = staff();
    bad.people[2].boss = "b0b".to_string();
    let repaired = Repair::new().keep(field!(Person.name)).repair(&mut bad).unwrap();
    assert_eq!(repaired.changes.len(), 1, "{repaired}");
    assert!(staff().people.iter().any(|person| person.name == bad.people[2].boss), "{repaired}");
}

#[test]
fn a_text_that_others_refer_to() {
    let mut bad = staff();
    bad.people[1].name = "b0b".to_string();
    let repaired = Repair::new().keep(field!(Person.boss)).repair(&mut bad).unwrap();
    assert_eq!(repaired.changes.len(), 1, "{repaired}");
    assert!(bad.people.iter().any(|person| person.name == "bob"), "{repaired}");
}

/// One repair after the other on the same heap: each takes what its own value has.
#[test]
fn of_several_values_each_gets_its_own() {
    for number in 0..6_u32 {
        let keys: Vec<u32> = (0..5).map(|key| 1_000 * number + 10 * key + 50_000).collect();
        let entries = keys.iter().map(|&key| Entry { key, weight: 1 }).collect();
        let good = Store { entries, by_key: keys.iter().copied().zip(0..).collect() };
        let mut bad = good.clone();
        bad.entries[2].key = 7;
        Repair::new().repair(&mut bad).unwrap();
        assert_eq!(bad, good);
    }
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Files {
    owners: HashMap<String, u8>,
    owner_of: Vec<String>,
}

#[rep_ok]
impl Files {
    /// Every file has an owner that is known, and every owner has a file.
    fn rep_ok(&self) -> bool {
        self.owner_of.iter().all(|owner| self.owners.contains_key(owner))
            && self.owners.keys().all(|owner| self.owner_of.contains(owner))
    }
}

#[test]
fn the_key_of_a_hash_map() {
    let names = ["root", "www", "mail", "backup"].map(String::from);
    let good = Files { owners: names.clone().into_iter().zip(1..).collect(), owner_of: names.to_vec() };
    let mut bad = good.clone();
    bad.owner_of[2] = "ma\u{0}l".to_string();
    let repaired = Repair::new().repair(&mut bad).unwrap();
    assert_eq!(bad, good, "{repaired}");
}
