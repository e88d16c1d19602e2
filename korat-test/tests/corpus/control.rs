//! Ways through an invariant: labels, values of blocks and loops, guards, `?`, short circuits, over a record and a chain.

use std::ops::ControlFlow;

use korat::{Finitize, rep_ok};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Finitize)]
pub enum Mode {
    Off,
    Low,
    High,
}

#[derive(Debug, Finitize)]
pub struct Stage {
    mode: Mode,
    #[finitize(0..=3)]
    level: u8,
    limit: Option<bool>,
    next: Option<Box<Stage>>,
}

/// Pipelines of at most `scope` stages, one type for each invariant.
macro_rules! pipelines {
    ($($Pipeline:ident)*) => {$(
        #[derive(Debug, Finitize)]
        pub struct $Pipeline {
            first: Option<Box<Stage>>,
        }
    )*};
}

pipelines! {
    Guarded LabelledBlock Searched Tried Broken Questioned Chained Ranged Nested Generic Functional Flagged
}

#[rep_ok]
impl Guarded {
    fn rep_ok(&self) -> bool {
        let mut at = &self.first;
        while let Some(stage) = at {
            let fits = match (stage.mode, stage.level) {
                (Mode::Off, 0) => stage.limit.is_none(),
                (Mode::Off, _) => false,
                (Mode::Low, level) if level > 1 => false,
                (Mode::High, level @ 2..=3) => stage.limit == Some(level == 3),
                (_, level) => level == 1 && stage.limit != Some(true),
            };
            if !fits {
                return false;
            }
            at = &stage.next;
        }
        true
    }
}

#[rep_ok]
impl LabelledBlock {
    fn rep_ok(&self) -> bool {
        let score = 'score: {
            let Some(stage) = &self.first else { break 'score 0 };
            if stage.mode == Mode::Off {
                break 'score 1;
            }
            let bonus = if stage.level > 2 { break 'score 2 } else { stage.level };
            if let Some(next) = &stage.next
                && next.mode == stage.mode
            {
                break 'score bonus + next.level;
            }
            bonus * 2
        };
        score == 2
    }
}

#[rep_ok]
impl Searched {
    /// The first stage with the highest level is in mode `High`, and no stage before it is.
    fn rep_ok(&self) -> bool {
        let mut highest = 0;
        let mut at = &self.first;
        while let Some(stage) = at {
            if stage.level > highest {
                highest = stage.level;
            }
            at = &stage.next;
        }
        let mut at = &self.first;
        let found = loop {
            match at {
                None => break None,
                Some(stage) if stage.level == highest => break Some(stage),
                Some(stage) if stage.mode == Mode::High => return false,
                Some(stage) => at = &stage.next,
            }
        };
        found.is_some_and(|stage| stage.mode == Mode::High)
    }
}

#[rep_ok]
impl Tried {
    fn rep_ok(&self) -> bool {
        matches!(Self::power(self.first.as_deref()), Ok(1..=3))
    }

    fn power(stage: Option<&Stage>) -> Result<u8, &'static str> {
        let stage = stage.ok_or("nothing")?;
        let own = match stage.mode {
            Mode::Off if stage.level > 0 => return Err("off"),
            Mode::Off => 0,
            Mode::Low => stage.level / 2,
            Mode::High => stage.level,
        };
        let rest = match &stage.next {
            Some(next) => Self::power(Some(next))?,
            None => 0,
        };
        own.checked_add(rest).filter(|&power| power < 4).ok_or("too much")
    }
}

#[rep_ok]
impl Broken {
    fn rep_ok(&self) -> bool {
        let stages = std::iter::successors(self.first.as_deref(), |stage| stage.next.as_deref());
        let flow = stages.into_iter().try_for_each(|stage| match (stage.mode, stage.limit) {
            (Mode::Off, _) => ControlFlow::Break(stage.level),
            (Mode::Low, Some(true)) => ControlFlow::Break(9),
            (Mode::Low | Mode::High, _) => ControlFlow::Continue(()),
        });
        match flow {
            ControlFlow::Continue(()) => false,
            ControlFlow::Break(level) => level < 2,
        }
    }
}

#[rep_ok]
impl Questioned {
    fn rep_ok(&self) -> bool {
        let second_level = || -> Option<u8> {
            let first = self.first.as_ref()?;
            let limit = first.limit?;
            let second = first.next.as_ref()?;
            (second.limit? != limit).then_some(second.level)
        };
        second_level().is_some_and(|level| level != 0)
    }
}

#[rep_ok]
impl Chained {
    fn rep_ok(&self) -> bool {
        if let Some(first) = &self.first
            && let Some(second) = &first.next
            && first.level < second.level
            && let Some(true) = second.limit
        {
            first.mode != second.mode
        } else if let Some(Stage { mode: Mode::High, level, next: None, .. }) = self.first.as_deref() {
            *level == 3
        } else {
            self.first.as_ref().is_some_and(|first| first.mode == Mode::Off && !matches!(first.level, 0 | 2))
        }
    }
}

#[rep_ok]
impl Ranged {
    fn rep_ok(&self) -> bool {
        let mut total: u8 = 250;
        let mut at = &self.first;
        while let Some(stage) = at {
            total = match stage.level {
                0 => total.wrapping_sub(100),
                level @ ..=2 => match total.checked_add(level * 3) {
                    Some(total) => total,
                    None => return stage.next.is_none(),
                },
                3.. => total.saturating_add(3),
            };
            at = &stage.next;
        }
        !(100..=250).contains(&total)
    }
}

#[rep_ok]
impl Nested {
    /// For each stage in mode `Low` there is a later one in mode `High` with a higher level.
    fn rep_ok(&self) -> bool {
        let mut stages = Vec::new();
        let mut at = &self.first;
        while let Some(stage) = at {
            stages.push(stage);
            at = &stage.next;
        }
        'outer: for (i, low) in stages.iter().enumerate() {
            if low.mode != Mode::Low {
                continue;
            }
            for j in i + 1..stages.len() {
                let high = stages[j];
                if high.mode == Mode::High && high.level > low.level {
                    continue 'outer;
                }
            }
            return false;
        }
        !stages.is_empty()
    }
}

#[rep_ok]
impl Generic {
    fn rep_ok(&self) -> bool {
        fn strictly_rising<T: PartialOrd, I: IntoIterator<Item = T>>(items: I) -> bool {
            let mut last = None;
            for item in items {
                if last.as_ref().is_some_and(|last| *last >= item) {
                    return false;
                }
                last = Some(item);
            }
            true
        }
        fn stages<'a>(first: &'a Option<Box<Stage>>) -> impl Iterator<Item = &'a Stage> {
            std::iter::successors(first.as_deref(), |stage| stage.next.as_deref())
        }
        strictly_rising(stages(&self.first).map(|stage| stage.level))
            && strictly_rising(stages(&self.first).map(|stage| stage.mode as u8))
    }
}

#[rep_ok]
impl Functional {
    fn rep_ok(&self) -> bool {
        let quiet: fn(&Stage) -> bool = |stage| stage.mode == Mode::Off;
        let steep = |stage: &Stage| stage.level > 1;
        let rules: [(&str, &dyn Fn(&Stage) -> bool); 2] = [("quiet", &quiet), ("steep", &steep)];
        let mut hits = [0; 2];
        let mut at = self.first.as_deref();
        while let Some(stage) = at {
            for (place, (name, rule)) in rules.iter().enumerate() {
                if rule(stage) {
                    hits[place] += name.len();
                }
            }
            at = stage.next.as_deref();
        }
        hits[0] == hits[1] && hits[0] < 10
    }
}

#[rep_ok]
impl Flagged {
    fn rep_ok(&self) -> bool {
        let mut flags = (false, false);
        let mut at = &self.first;
        while let Some(stage) = at {
            flags.0 |= stage.limit.is_some();
            flags.1 ^= stage.limit.unwrap_or(false) & (stage.mode != Mode::Off);
            at = &stage.next;
        }
        let (any, parity) = flags;
        any && !parity
    }
}
