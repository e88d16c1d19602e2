//! Options of classes in tuples and in options.

use korat::{Finitize, rep_ok};

use crate::canonical::canonical_plain;
use crate::harness::{Space, Subject};

/// A point.
#[derive(Clone, Debug, Finitize)]
pub struct Point {
    x: bool,
    y: bool,
}

/// A mark.
#[derive(Clone, Debug, Finitize)]
pub enum Mark {
    Dot,
    Line(bool),
}

/// Points and marks that may be missing.
#[derive(Clone, Debug, Finitize)]
pub struct Sketch {
    best: Option<Option<Point>>,
    pair: (bool, Option<Mark>),
    #[finitize(len = 0..=1)]
    list: Vec<(bool, Option<Point>)>,
    deep: Option<(Option<Mark>, bool)>,
    /// Nothing reads it.
    unread: (Option<Mark>, ()),
}

#[rep_ok]
impl Sketch {
    pub fn rep_ok(&self) -> bool {
        let best = match &self.best {
            Some(Some(Point { x, y })) if x == y => return false,
            Some(Some(point)) => Self::is_left(point),
            Some(None) => false,
            None => true,
        };
        let (flag, mark) = &self.pair;
        let long = mark.as_ref().is_some_and(Self::is_long);
        if *flag == (best && long) && self.pair.1.is_some() {
            return false;
        }
        if let Some((Some(mark), deep)) = &self.deep
            && (Self::is_long(mark) || *deep)
        {
            return false;
        }
        self.list.iter().all(|(flag, point)| match point {
            Some(point) => point.x == *flag && Self::is_left(point),
            None => *flag,
        })
    }

    fn is_left(point: &Point) -> bool {
        !point.x || point.y
    }

    fn is_long(mark: &Mark) -> bool {
        match mark {
            Mark::Dot => false,
            Mark::Line(long) => *long,
        }
    }
}

canonical_plain! { Sketch }

impl Subject for Sketch {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(_: usize, visit: &mut dyn FnMut(Self)) {
        let flags = [false, true];
        let points = flags.into_iter().flat_map(|x| flags.map(|y| Some(Point { x, y })));
        let points: Vec<Option<Point>> = std::iter::once(None).chain(points).collect();
        let marks = [None, Some(Mark::Dot), Some(Mark::Line(false)), Some(Mark::Line(true))];
        let mut space = Space::default();
        let (best, flag, mark) = (space.slot(1 + points.len()), space.slot(2), space.slot(marks.len()));
        let (list, item) = (space.slot(1 + points.len()), space.slot(2));
        let (deep, last, unread) = (space.slot(1 + marks.len()), space.slot(2), space.slot(marks.len()));
        space.each(|raw| {
            let pairs = raw[list].checked_sub(1).map(|point| (raw[item] == 1, points[point].clone()));
            visit(Sketch {
                best: raw[best].checked_sub(1).map(|point| points[point].clone()),
                pair: (raw[flag] == 1, marks[raw[mark]].clone()),
                list: pairs.into_iter().collect(),
                deep: raw[deep].checked_sub(1).map(|mark| (marks[mark].clone(), raw[last] == 1)),
                unread: (marks[raw[unread]].clone(), ()),
            });
        });
    }
}
