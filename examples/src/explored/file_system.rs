//! A file system: a table of files and directories, each of which knows the directory that it is in.

use korat::{Finitize, rep_ok};

/// The number of files and directories that there is room for.
const ROOM: usize = 3;

/// A file or a directory other than the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Finitize)]
struct Node {
    is_directory: bool,
    #[finitize(['a', 'b'])]
    name: char,
    /// The place of the directory that it is in; `None` is the root.
    #[finitize(0..ROOM)]
    parent: Option<usize>,
}

/// A file system. Files have no content.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Finitize)]
pub struct FileSystem {
    nodes: [Option<Node>; ROOM],
}

/// Why an operation is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is nothing at a path.
    NotFound,
    /// Something else than a directory is on the way.
    NotADirectory,
    /// Something is there already.
    Exists,
    /// The directory is not empty.
    NotEmpty,
    /// A directory cannot be moved into itself.
    IntoItself,
    /// There is no room, or no such operation on the root.
    Impossible,
}

#[rep_ok]
impl FileSystem {
    /// Returns whether the files and directories are a tree, and those in one directory have different names.
    pub fn rep_ok(&self) -> bool {
        (0..ROOM).all(|at| {
            let Some(node) = &self.nodes[at] else { return true };
            let is_alone = (0..at).all(|other| {
                self.nodes[other].as_ref().is_none_or(|other| other.parent != node.parent || other.name != node.name)
            });
            is_alone && self.leads_to_the_root(node.parent)
        })
    }

    fn leads_to_the_root(&self, mut directory: Option<usize>) -> bool {
        for _ in 0..=ROOM {
            let Some(at) = directory else { return true };
            let Some(node) = &self.nodes[at] else { return false };
            if !node.is_directory {
                return false;
            }
            directory = node.parent;
        }
        false
    }
}

/// The place of a directory or a file; `None` is the root.
type Place = Option<usize>;

impl FileSystem {
    /// Makes an empty file or directory.
    pub fn make(&mut self, path: &str, is_directory: bool) -> Result<(), Refusal> {
        let (parent, name) = self.split(path)?;
        if self.child(parent, name).is_some() {
            return Err(Refusal::Exists);
        }
        let room = self.nodes.iter_mut().find(|node| node.is_none()).ok_or(Refusal::Impossible)?;
        *room = Some(Node { is_directory, name, parent });
        Ok(())
    }

    /// Removes a file or an empty directory.
    pub fn remove(&mut self, path: &str) -> Result<(), Refusal> {
        let at = self.find(path)?.ok_or(Refusal::Impossible)?;
        if self.nodes.iter().flatten().any(|node| node.parent == Some(at)) {
            return Err(Refusal::NotEmpty);
        }
        self.nodes[at] = None;
        Ok(())
    }

    /// Moves a file, or a directory with all that is in it.
    pub fn rename(&mut self, from: &str, to: &str) -> Result<(), Refusal> {
        self.rename_unless(from, to, Self::is_within)
    }

    /// Moves a file or directory, unless `is_refused` holds for its new directory and itself.
    fn rename_unless(
        &mut self,
        from: &str,
        to: &str,
        is_refused: fn(&Self, Place, usize) -> bool,
    ) -> Result<(), Refusal> {
        let at = self.find(from)?.ok_or(Refusal::Impossible)?;
        let (parent, name) = self.split(to)?;
        if is_refused(self, parent, at) {
            return Err(Refusal::IntoItself);
        }
        if self.child(parent, name).is_some_and(|known| known != at) {
            return Err(Refusal::Exists);
        }
        if let Some(node) = &mut self.nodes[at] {
            (node.parent, node.name) = (parent, name);
        }
        Ok(())
    }

    /// Returns whether a directory is the one at `ancestor`, or below it.
    fn is_within(&self, mut directory: Place, ancestor: usize) -> bool {
        while let Some(at) = directory {
            if at == ancestor {
                return true;
            }
            directory = self.nodes[at].and_then(|node| node.parent);
        }
        false
    }

    fn child(&self, directory: Place, name: char) -> Place {
        let is_it = |node: &Option<Node>| node.is_some_and(|node| node.parent == directory && node.name == name);
        self.nodes.iter().position(is_it)
    }

    /// Returns what is at a path, such as `/a/b`.
    fn find(&self, path: &str) -> Result<Place, Refusal> {
        let mut place = None;
        for name in path.chars().filter(|letter| *letter != '/') {
            self.expect_directory(place)?;
            place = Some(self.child(place, name).ok_or(Refusal::NotFound)?);
        }
        Ok(place)
    }

    /// Returns the directory and the name of a path.
    fn split(&self, path: &str) -> Result<(Place, char), Refusal> {
        let (directory, name) = path.rsplit_once('/').ok_or(Refusal::Impossible)?;
        let directory = self.find(directory)?;
        self.expect_directory(directory)?;
        Ok((directory, name.chars().next().ok_or(Refusal::Impossible)?))
    }

    fn expect_directory(&self, place: Place) -> Result<(), Refusal> {
        let is_file = place.and_then(|at| self.nodes[at]).is_some_and(|node| !node.is_directory);
        if is_file { Err(Refusal::NotADirectory) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests;
