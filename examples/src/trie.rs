//! A trie: a multiset of words over small letters, in which words that begin alike share the nodes of what is alike.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use korat::{Finitize, rep_ok};

/// The words that begin with the letters on the way here.
#[derive(Clone, Debug, Default, PartialEq, Finitize)]
pub struct Node {
    /// The words that go on, by their next letter.
    #[finitize('a'..='b')]
    children: BTreeMap<char, Node>,
    /// How many times the word that ends here was added.
    count: usize,
    /// The number of words here and below, which is the answer to how many have this prefix.
    total: usize,
}

/// A multiset of words.
#[derive(Clone, Debug, Default, PartialEq, Finitize)]
pub struct Trie {
    /// The node of the empty word.
    root: Node,
}

#[rep_ok]
impl Trie {
    /// Every total is right, every node but the root leads to a word, and every letter is a small one.
    pub fn rep_ok(&self) -> bool {
        Self::subtree_ok(&self.root)
    }

    fn subtree_ok(node: &Node) -> bool {
        let below: usize = node.children.values().map(|child| child.total).sum();
        node.total == node.count + below
            && node
                .children
                .iter()
                .all(|(letter, child)| letter.is_ascii_lowercase() && child.total > 0 && Self::subtree_ok(child))
    }
}

impl Trie {
    /// No words.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of words, each as often as it was added.
    pub fn len(&self) -> usize {
        self.root.total
    }

    /// Whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many times `word` was added.
    pub fn count(&self, word: &str) -> usize {
        self.find(word).map_or(0, |node| node.count)
    }

    /// How many words begin with `prefix`.
    pub fn count_prefix(&self, prefix: &str) -> usize {
        self.find(prefix).map_or(0, |node| node.total)
    }

    /// The words in alphabetical order, each with the number of times it was added.
    pub fn iter(&self) -> impl Iterator<Item = (String, usize)> {
        let mut work = vec![(String::new(), &self.root)];
        std::iter::from_fn(move || {
            loop {
                let (word, node) = work.pop()?;
                work.extend(node.children.iter().rev().map(|(letter, child)| (format!("{word}{letter}"), child)));
                if node.count > 0 {
                    return Some((word, node.count));
                }
            }
        })
    }

    /// The longest prefix of `text` that is a word, as for cutting a text into words.
    pub fn longest_prefix<'t>(&self, text: &'t str) -> Option<&'t str> {
        let mut longest = (self.root.count > 0).then_some("");
        let mut node = &self.root;
        for (at, letter) in text.char_indices() {
            let Some(child) = node.children.get(&letter) else {
                break;
            };
            if child.count > 0 {
                longest = Some(&text[..at + letter.len_utf8()]);
            }
            node = child;
        }
        longest
    }

    /// Adds `word`, of small letters, once more.
    pub fn insert(&mut self, word: &str) {
        assert!(word.chars().all(|letter| letter.is_ascii_lowercase()), "{word:?} has other than small letters");
        let mut node = &mut self.root;
        node.total += 1;
        for letter in word.chars() {
            node = node.children.entry(letter).or_default();
            node.total += 1;
        }
        node.count += 1;
    }

    /// Takes `word` away once; says whether it was there.
    pub fn remove(&mut self, word: &str) -> bool {
        let found = self.count(word) > 0;
        if found {
            self.root.forget(word);
        }
        found
    }

    fn find(&self, prefix: &str) -> Option<&Node> {
        prefix.chars().try_fold(&self.root, |node, letter| node.children.get(&letter))
    }
}

impl Node {
    /// Takes away one of the words below, `rest` being what is left of it, and the nodes that only this word needed.
    fn forget(&mut self, rest: &str) {
        self.total -= 1;
        let mut letters = rest.chars();
        let Some(letter) = letters.next() else {
            self.count -= 1;
            return;
        };
        if let Entry::Occupied(mut child) = self.children.entry(letter) {
            if child.get().total == 1 {
                // The word is the only one there, so the whole branch goes.
                child.remove();
            } else {
                child.get_mut().forget(letters.as_str());
            }
        }
    }
}

impl<'w> FromIterator<&'w str> for Trie {
    fn from_iter<I: IntoIterator<Item = &'w str>>(words: I) -> Self {
        let mut trie = Self::new();
        words.into_iter().for_each(|word| trie.insert(word));
        trie
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeded::found_at;

    type Model = BTreeMap<String, usize>;
    type Remove = fn(&mut Trie, &str) -> bool;

    /// `remove` with a bug: it looks for words that begin with `word`, not for `word` itself.
    fn remove_if_a_prefix(trie: &mut Trie, word: &str) -> bool {
        let found = trie.count_prefix(word) > 0;
        if found {
            trie.root.forget(word);
        }
        found
    }

    /// All words of up to three letters, and one with a letter that is nowhere else.
    fn words() -> Vec<String> {
        let mut words = vec![String::new()];
        let mut done = 0;
        while words[done].len() < 3 {
            words.extend(["a", "b"].map(|letter| words[done].clone() + letter));
            done += 1;
        }
        words.push("az".to_string());
        words
    }

    fn check_queries(trie: &Trie) {
        let model: Model = trie.iter().collect();
        assert!(trie.iter().is_sorted());
        assert_eq!(trie.len(), model.values().sum());
        for word in words() {
            assert_eq!(trie.count(&word), model.get(&word).copied().unwrap_or(0));
            let begin_so = model.iter().filter(|(other, _)| other.starts_with(&word));
            assert_eq!(trie.count_prefix(&word), begin_so.map(|(_, count)| count).sum());
            let longest = (0..=word.len()).rev().map(|len| &word[..len]).find(|&prefix| model.contains_key(prefix));
            assert_eq!(trie.longest_prefix(&word), longest);
        }
    }

    fn check_insert(trie: &Trie) {
        for word in words() {
            let mut trie = trie.clone();
            let mut model: Model = trie.iter().collect();
            trie.insert(&word);
            *model.entry(word).or_default() += 1;
            assert!(trie.rep_ok());
            assert!(trie.iter().eq(model));
        }
    }

    fn check_remove(trie: &Trie, remove: Remove) {
        for word in words() {
            let mut trie = trie.clone();
            let mut model: Model = trie.iter().collect();
            let count = model.get(&word).copied().unwrap_or(0);
            match count {
                0 | 1 => model.remove(&word),
                _ => model.insert(word.clone(), count - 1),
            };
            assert_eq!(remove(&mut trie, &word), count > 0);
            assert!(trie.rep_ok());
            assert!(trie.iter().eq(model));
        }
    }

    /// Nodes are only as many as the words need, so a word that comes and goes leaves the very same trie.
    fn check_remove_undoes_insert(trie: &Trie) {
        for word in words() {
            let mut changed = trie.clone();
            changed.insert(&word);
            assert!(changed.remove(&word));
            assert_eq!(changed, *trie);
        }
    }

    /// What one would write by hand: words with common beginnings, one of them twice, and one that is not there.
    fn example(remove: Remove) {
        let mut trie: Trie = ["to", "tea", "ten", "ten", "inn"].into_iter().collect();
        assert!(!remove(&mut trie, "dog"));
        assert!(!remove(&mut trie, "tent"));
        assert!(remove(&mut trie, "ten"));
        assert_eq!((trie.count("ten"), trie.count_prefix("te"), trie.len()), (1, 2, 4));
        assert!(remove(&mut trie, "ten"));
        assert!(!remove(&mut trie, "ten"));
        assert!(remove(&mut trie, "to"));
        assert!(trie.iter().eq([("inn".to_string(), 1), ("tea".to_string(), 1)]));
        assert_eq!(trie.longest_prefix("teapot"), Some("tea"));
    }

    #[test]
    fn words_come_and_go() {
        example(Trie::remove);
        example(remove_if_a_prefix);
    }

    #[test]
    fn operations_agree_with_a_map_on_some_words() {
        for words in [&[][..], &[""], &["ab", "ab"], &["a", "aba", "abb"], &["b", "ba", "ba", "", "aab"]] {
            let trie: Trie = words.iter().copied().collect();
            check_queries(&trie);
            check_insert(&trie);
            check_remove(&trie, Trie::remove);
            check_remove_undoes_insert(&trie);
        }
    }

    #[test]
    fn queries_say_what_a_map_says() {
        korat::for_each_valid(Trie::scope(3), |trie| check_queries(&trie));
    }

    #[test]
    fn insert_does_what_a_map_does() {
        korat::for_each_valid(Trie::scope(3), |trie| check_insert(&trie));
    }

    #[test]
    fn remove_does_what_a_map_does() {
        korat::for_each_valid(Trie::scope(3), |trie| {
            check_remove(&trie, Trie::remove);
            check_remove_undoes_insert(&trie);
        });
    }

    /// One word of one letter is enough: the empty word is a prefix of it. The example removes words that are there
    /// and words that nothing begins with, but no mere prefix.
    #[test]
    fn removing_a_mere_prefix_is_found() {
        let found = found_at(0, |scope| {
            korat::for_each_valid(Trie::scope(scope), |trie| check_remove(&trie, remove_if_a_prefix));
        });
        assert_eq!(found, Some(1));
    }
}
