//! What sets do alike and what maps do alike, whether they hash their keys or keep them in order.

/// What `$op` says, if it is below 10, and otherwise an insertion.
macro_rules! set_step {
    ($self:ident, $rng:ident, $key:ident, $op:expr) => {
        match $op {
            0..=2 => both!($self, |it| it.remove(&$key)),
            3 => both!($self, |it| it.take(&$key)),
            4 => both!($self, |it| it.replace($key)),
            5 => both!($self, |it| it.retain(|known| known % 5 != $key % 5)),
            6 if $rng.random_bool(0.2) => both!($self, |it| it.clear()),
            7 => both!($self, |it| it.extend($key..$key + 9)),
            8 => both!($self, |it| it.extend(&[$key, 3])),
            9 => moved!($self, |it| it.insert($key)),
            _ => both!($self, |it| it.insert($key)),
        }
    };
}
pub(crate) use set_step;

/// What `$op` says, if it is below 14, and otherwise an insertion.
macro_rules! map_step {
    ($self:ident, $rng:ident, $key:ident, $value:ident, $op:expr) => {
        match $op {
            0..=2 => both!($self, |it| it.remove(&$key)),
            3 => both!($self, |it| it.remove_entry(&$key)),
            4 => both!($self, |it| *it.entry($key).or_insert($value) += 1),
            5 => both!($self, |it| *it.entry($key).or_default() += $value),
            6 => both!($self, |it| *it.entry($key).and_modify(|known| *known *= 2).or_insert_with(|| $value)),
            7 => both!($self, |it| it.get_mut(&$key).map(|known| std::mem::replace(known, $value))),
            8 => both!($self, |it| it.iter_mut().for_each(|(key, known)| *known += u64::from(*key))),
            9 => both!($self, |it| it.retain(|known, count| {
                *count += 1;
                known % 5 != $key % 5
            })),
            10 if $rng.random_bool(0.2) => both!($self, |it| it.clear()),
            11 => both!($self, |it| it.extend(($key..$key + 9).map(|key| (key, $value)))),
            12 => moved!($self, |it| it.insert($key, $value)),
            13 => {
                let (mut ours, mut theirs) = ($self.ours.clone(), $self.theirs.clone());
                assert_eq!(ours.insert($key, $value), theirs.insert($key, $value));
                ours.values_mut().for_each(|known| *known += 1);
                theirs.values_mut().for_each(|known| *known += 1);
                if $rng.random_bool(0.5) {
                    ($self.ours, $self.theirs) = (ours, theirs);
                }
            }
            _ => both!($self, |it| it.insert($key, $value)),
        }
    };
}
pub(crate) use map_step;
