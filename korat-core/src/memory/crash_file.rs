//! Words in a memory-mapped file: storing them takes no system call, and they survive the process, however it dies.
//!
//! # Safety argument
//! The only unsafe call maps the file. A mapping is undefined behaviour if the file changes under a reference into it.
//! So this module maps only a file that this process has created and locked, and accesses the mapping only through
//! `CrashFile`, whose references into it end with each call.

use std::fs::File;
use std::io;
use std::io::{Read, Seek, SeekFrom, Write};
use std::sync::atomic::{Ordering, compiler_fence};

use memmap2::MmapMut;

/// Bytes in a word.
const WORD: usize = size_of::<u32>();
/// The smallest mapping: one page, since a mapping takes whole pages.
const LEAST_BYTES: usize = 4096;

/// Words that survive the process, in a file whose header identifies their owner.
///
/// Layout of the file: the length of the header, the header padded to whole words, the number of words plus one (zero
/// if none are stored), and the words.
pub struct CrashFile {
    file: File,
    map: MmapMut,
    /// The offset of the word count.
    at: usize,
}

/// The contents of a file that a process has left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrashFileContents {
    /// The header, which identifies the owner of the words.
    pub head: Vec<u8>,
    /// The words that were stored last, if any.
    pub words: Option<Vec<u32>>,
}

impl CrashFile {
    /// Creates the storage in a new, empty file, to which nothing else may write.
    pub fn new(mut file: File, head: &[u8]) -> io::Result<Self> {
        let map = grown(&mut file, LEAST_BYTES)?;
        let mut crash_file = CrashFile { file, map, at: 0 };
        crash_file.set_head(head)?;
        Ok(crash_file)
    }

    /// Replaces the header, and clears the words.
    pub fn set_head(&mut self, head: &[u8]) -> io::Result<()> {
        let len = u32::try_from(head.len()).map_err(io::Error::other)?;
        // The words have no owner until the new header is complete.
        self.at = 0;
        self.set_count(0);
        let at = WORD + head.len().next_multiple_of(WORD);
        self.make_room(at + WORD)?;
        self.map[WORD..WORD + head.len()].copy_from_slice(head);
        self.at = at;
        self.set_count(0);
        self.map[..WORD].copy_from_slice(&len.to_ne_bytes());
        Ok(())
    }

    /// Replaces the stored words.
    #[inline]
    pub fn store(&mut self, words: &[u32]) -> io::Result<()> {
        self.clear();
        let (start, len) = (self.at + WORD, words.len() * WORD);
        self.make_room(start + len)?;
        for (place, word) in self.map[start..start + len].chunks_exact_mut(WORD).zip(words) {
            place.copy_from_slice(&word.to_ne_bytes());
        }
        // The process may die at any instruction: the count is written last and certifies that all words are there.
        compiler_fence(Ordering::SeqCst);
        self.set_count(words.len() as u32 + 1);
        Ok(())
    }

    /// Replaces one of the stored words.
    #[inline]
    pub fn set_word(&mut self, index: usize, word: u32) {
        let start = self.at + WORD + index * WORD;
        if let Some(place) = self.map.get_mut(start..start + WORD) {
            place.copy_from_slice(&word.to_ne_bytes());
        }
        // The code that follows may end the process, so this store must not be delayed past it.
        compiler_fence(Ordering::SeqCst);
    }

    /// Removes the stored words.
    #[inline]
    pub fn clear(&mut self) {
        self.set_count(0);
    }

    #[inline]
    fn make_room(&mut self, bytes: usize) -> io::Result<()> {
        if self.map.len() < bytes {
            self.map = grown(&mut self.file, bytes)?;
        }
        Ok(())
    }

    #[inline]
    fn set_count(&mut self, count: u32) {
        self.map[self.at..self.at + WORD].copy_from_slice(&count.to_ne_bytes());
        // The code that follows may end the process, so this store must not be delayed past it.
        compiler_fence(Ordering::SeqCst);
    }

    /// Returns the stored words, if any.
    pub fn words(&self) -> Option<Vec<u32>> {
        words_in(&self.map[self.at..])
    }

    /// Reads the header and the words of a file that another process has left behind; `None` if the file is not of this format.
    pub fn read(file: &mut File) -> io::Result<Option<CrashFileContents>> {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(0))?;
        file.read_to_end(&mut bytes)?;
        Ok(parts(&bytes).map(|(head, words)| CrashFileContents { head: head.to_vec(), words: words_in(words) }))
    }
}

/// Extends a file to the next power of two, at least one page, and maps all of it.
fn grown(file: &mut File, bytes: usize) -> io::Result<MmapMut> {
    // Writes zeros instead of leaving a hole: the first store to a page of a hole may find the disk full, which raises
    // a signal.
    let end = file.seek(SeekFrom::End(0))?;
    let zeros = vec![0; bytes.next_power_of_two().max(LEAST_BYTES).saturating_sub(end as usize)];
    file.write_all(&zeros)?;
    // SAFETY: nothing else changes the file: this process has created it, under a name that contains its process id,
    // and holds its lock.
    unsafe { MmapMut::map_mut(&*file) }
}

fn word(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (word, rest) = bytes.split_first_chunk::<WORD>()?;
    Some((u32::from_ne_bytes(*word), rest))
}

/// Splits a file into the header and the bytes after it.
fn parts(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (len, rest) = word(bytes)?;
    let len = len as usize;
    Some((rest.get(..len)?, rest.get(len.next_multiple_of(WORD)..)?))
}

fn words_in(bytes: &[u8]) -> Option<Vec<u32>> {
    let (count, rest) = word(bytes)?;
    let len = (count as usize).checked_sub(1)? * WORD;
    Some(rest.get(..len)?.chunks_exact(WORD).filter_map(word).map(|(word, _)| word).collect())
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;

    use super::*;

    #[test]
    fn what_was_stored_last_is_in_the_file() {
        let path = std::env::temp_dir().join(format!("korat-crash_file-{}", std::process::id()));
        let open = || OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path).unwrap();
        let read = || CrashFile::read(&mut open()).unwrap().map(|CrashFileContents { head, words }| (head, words));
        assert_eq!(read(), None, "an empty file is none");
        let mut crash_file = CrashFile::new(open(), b"whose").unwrap();
        assert_eq!((read(), crash_file.words()), (Some((b"whose".to_vec(), None)), None));
        // More words than fit into a page, then fewer again.
        for count in [0, 1, 5000, 3] {
            let words: Vec<u32> = (0..count).map(|word| word * 7).collect();
            crash_file.store(&words).unwrap();
            assert_eq!((read(), crash_file.words()), (Some((b"whose".to_vec(), Some(words.clone()))), Some(words)));
        }
        crash_file.set_head(b"another's").unwrap();
        assert_eq!((read(), crash_file.words()), (Some((b"another's".to_vec(), None)), None));
        crash_file.store(&[1]).unwrap();
        crash_file.clear();
        assert_eq!(read(), Some((b"another's".to_vec(), None)));
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn other_files_are_none() {
        for bytes in [&b""[..], b"abc", b"abcdefgh", &[0xff; 64]] {
            assert_eq!(parts(bytes), None);
        }
        assert_eq!([&b"\x05\0\0\0ab"[..], b"ab"].map(words_in), [None, None]);
    }
}
