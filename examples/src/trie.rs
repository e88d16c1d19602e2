//! A trie: a multiset of words of lower-case letters, in which words with a common prefix share its nodes.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use korat::{Finitize, rep_ok};

/// The words with the prefix that leads here.
#[derive(Clone, Debug, Default, PartialEq, Finitize)]
pub struct Node {
    /// The longer words, by their next letter.
    #[finitize('a'..='b')]
    children: BTreeMap<char, Node>,
    /// How often the word that ends here was added.
    count: usize,
    /// The number of words here and below, which answers prefix queries.
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
    /// Returns whether every total is correct, every node except the root leads to a word, and all letters are
    /// lower-case.
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
    /// Creates an empty multiset.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of words, with multiplicity.
    pub fn len(&self) -> usize {
        self.root.total
    }

    /// Returns whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns how often `word` was added.
    pub fn count(&self, word: &str) -> usize {
        self.find(word).map_or(0, |node| node.count)
    }

    /// Returns the number of words with `prefix`, with multiplicity.
    pub fn count_prefix(&self, prefix: &str) -> usize {
        self.find(prefix).map_or(0, |node| node.total)
    }

    /// Returns the words in alphabetical order, each with its multiplicity.
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

    /// Returns the longest prefix of `text` that is a word, as a tokenizer needs.
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

    /// Adds `word`, which must consist of lower-case letters.
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

    /// Removes one occurrence of `word`. Returns whether it was present.
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
    /// Removes one word below, with the remaining letters `rest`, and the nodes that only this word needed.
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
pub(crate) mod tests {
    use super::*;
    use crate::seeded::found_at;

    type Model = BTreeMap<String, usize>;
    type Remove = fn(&mut Trie, &str) -> bool;

    /// A buggy `remove`: it checks for words with the prefix `word` instead of `word` itself.
    pub(crate) fn remove_if_a_prefix(trie: &mut Trie, word: &str) -> bool {
        let found = trie.count_prefix(word) > 0;
        if found {
            trie.root.forget(word);
        }
        found
    }

    /// Returns all words of up to three letters, and one with a letter that occurs nowhere else.
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
        assert_eq!(trie.len(), model.values().sum::<usize>());
        for word in words() {
            assert_eq!(trie.count(&word), model.get(&word).copied().unwrap_or(0));
            let begin_so = model.iter().filter(|(other, _)| other.starts_with(&word));
            assert_eq!(trie.count_prefix(&word), begin_so.map(|(_, count)| count).sum::<usize>());
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

    /// Checks that adding and removing a word restores the trie exactly: it has only the nodes that its words need.
    fn check_remove_undoes_insert(trie: &Trie) {
        for word in words() {
            let mut changed = trie.clone();
            changed.insert(&word);
            assert!(changed.remove(&word));
            assert_eq!(changed, *trie);
        }
    }

    /// A typical hand-written test: words with common prefixes, one of them twice, and words that are not present.
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

    /// One word of one letter suffices: the empty word is a prefix of it. The hand-written test removes words that are
    /// present and words that are no prefixes, but never a proper prefix.
    #[test]
    fn removing_a_mere_prefix_is_found() {
        let found = found_at(0, |scope| {
            korat::for_each_valid(Trie::scope(scope), |trie| check_remove(&trie, remove_if_a_prefix));
        });
        assert_eq!(found, Some(1));
    }
}
