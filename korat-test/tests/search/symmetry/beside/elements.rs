//! Elements of every kind beside others: indices into another arena, classes, sets, names in a variant; and vectors beside one that is
//! no arena.

use super::*;

/// An index vector beside an arena that leads into another arena, which has a vector beside it, too.
mod into_another {
    use super::*;

    #[derive(Clone, Debug, Finitize)]
    struct Owners {
        #[finitize(0..=1)]
        names: Vec<u8>,
        #[finitize(beside = names, index_of = goods)]
        favourite: Vec<Option<usize>>,
        #[finitize(0..=1)]
        goods: Vec<u8>,
        #[finitize(beside = goods, index_of = names)]
        owner: Vec<usize>,
    }

    #[rep_ok]
    impl Owners {
        fn rep_ok(&self) -> bool {
            let is_own = |(at, good): (usize, &Option<usize>)| good.is_none_or(|good| self.owner[good] == at);
            self.favourite.iter().enumerate().all(is_own)
                && self.owner.iter().zip(&self.goods).all(|(&owner, &good)| self.names[owner] <= good)
                && self.favourite.len() == self.names.len()
        }
    }

    #[test]
    fn every_class_once() {
        for scope in 0..=2 {
            let mut all = Vec::new();
            for (names, goods) in (0..=scope).flat_map(|names| (0..=scope).map(move |goods| (names, goods))) {
                for favourite in lists(&optional(goods), names) {
                    for owner in lists(&below(names), goods) {
                        for names in lists(&[0, 1], names) {
                            let with = |goods| {
                                let (favourite, owner, names) = (favourite.clone(), owner.clone(), names.clone());
                                Owners { names, favourite, goods, owner }
                            };
                            all.extend(lists(&[0, 1], goods).into_iter().map(with));
                        }
                    }
                }
            }
            agree(scope, all, |value: &Owners| {
                smallest(value.names.len(), |of_names| {
                    smallest(value.goods.len(), |of_goods| {
                        let favourite =
                            moved(&value.favourite, of_names, |favourite| favourite.map(|good| of_goods[good]));
                        let owner = moved(&value.owner, of_goods, |&owner| of_names[owner]);
                        let (names, goods) =
                            (moved(&value.names, of_names, |&name| name), moved(&value.goods, of_goods, |&good| good));
                        format!("{names:?} {favourite:?} {goods:?} {owner:?}")
                    })
                })
            });
        }
    }
}

/// Classes and vectors as elements of a vector beside an arena, in a class that is held by value; an index named after one of
/// the vectors beside is one of the arena.
mod nested {
    use super::*;

    #[derive(Clone, Debug, Finitize)]
    struct Info {
        #[finitize(index_of = info)]
        best: Option<usize>,
        color: bool,
    }

    #[derive(Clone, Debug, Finitize)]
    struct Table {
        #[finitize(beside = ids)]
        info: Vec<Info>,
        #[finitize(beside = ids, index_of = ids, set)]
        edges: Vec<Vec<usize>>,
        #[finitize(0..=0)]
        ids: Vec<u8>,
    }

    #[derive(Clone, Debug, Finitize)]
    struct Whole {
        tables: [Table; 1],
    }

    #[rep_ok]
    impl Whole {
        fn rep_ok(&self) -> bool {
            let table = &self.tables[0];
            table.info.iter().enumerate().all(|(at, info)| {
                table.edges[at].len() <= 1 && info.best.is_none_or(|best| table.info[best].color != info.color)
            })
        }
    }

    #[test]
    fn every_class_once() {
        for scope in 0..=2 {
            let mut all = Vec::new();
            for len in 0..=scope {
                let infos: Vec<Info> = [false, true]
                    .into_iter()
                    .flat_map(|color| optional(len).into_iter().map(move |best| Info { best, color }))
                    .collect();
                for info in lists(&infos, len) {
                    for edges in lists(&lists_up_to(&below(len), scope), len) {
                        all.push(Whole { tables: [Table { info: info.clone(), edges, ids: vec![0; len] }] });
                    }
                }
            }
            agree(scope, all, |value: &Whole| {
                let table = &value.tables[0];
                smallest(table.ids.len(), |order| {
                    let info = moved(&table.info, order, |info| (info.best.map(|best| order[best]), info.color));
                    let edges = moved(&table.edges, order, |edges| {
                        let mut edges: Vec<usize> = edges.iter().map(|&edge| order[edge]).collect();
                        edges.sort();
                        edges
                    });
                    format!("{info:?} {edges:?}")
                })
            });
        }
    }
}

/// A set with values: its members have no order, and each keeps its value.
mod set_with_values {
    use super::*;

    #[derive(Clone, Debug, Finitize)]
    struct Pairs {
        #[finitize(set, 0..=1)]
        keys: Vec<u8>,
        #[finitize(0..=1, beside = keys)]
        values: Vec<u8>,
    }

    #[rep_ok]
    impl Pairs {
        fn rep_ok(&self) -> bool {
            self.values.iter().zip(&self.keys).any(|(value, key)| value != key)
        }
    }

    #[test]
    fn every_class_once() {
        for scope in 0..=3 {
            let all = (0..=scope).flat_map(|len| {
                let keys = lists(&[0, 1], len).into_iter();
                keys.flat_map(move |keys| {
                    let values = lists(&[0, 1], len).into_iter();
                    values.map(move |values| Pairs { keys: keys.clone(), values }).collect::<Vec<_>>()
                })
            });
            agree(scope, all, |value: &Pairs| {
                let mut pairs: Vec<(u8, u8)> = value.keys.iter().copied().zip(value.values.iter().copied()).collect();
                pairs.sort();
                format!("{pairs:?}")
            });
        }
    }
}

/// A variant with an arena whose elements have names beside them.
mod variants {
    use super::*;

    #[derive(Clone, Debug, Finitize)]
    enum Shape {
        Empty,
        Full {
            #[finitize(0..=2, beside = next, identity)]
            name: Vec<u8>,
            #[finitize(index_of = next)]
            next: Vec<usize>,
        },
    }

    #[derive(Clone, Debug, Finitize)]
    struct Holder {
        shape: Shape,
    }

    #[rep_ok]
    impl Holder {
        fn rep_ok(&self) -> bool {
            match &self.shape {
                Shape::Empty => true,
                Shape::Full { name, next } => {
                    next.iter().zip(name).enumerate().all(|(at, (&next, own))| next == at || name[next] != *own)
                }
            }
        }
    }

    #[test]
    fn every_class_once() {
        for scope in 0..=3 {
            let mut all = vec![Holder { shape: Shape::Empty }];
            for len in 0..=scope {
                for next in lists(&below(len), len) {
                    let names = lists(&[0, 1, 2], len).into_iter();
                    all.extend(names.map(|name| Holder { shape: Shape::Full { name, next: next.clone() } }));
                }
            }
            agree(scope, all, |value| match &value.shape {
                Shape::Empty => "empty".to_string(),
                Shape::Full { name, next } => smallest(next.len(), |order| {
                    let next = moved(next, order, |&next| order[next]);
                    format!("{next:?} {:?}", renamed(moved(name, order, |&name| name)))
                }),
            });
        }
    }
}

/// A vector beside one that is no arena has its length, and both keep their order.
mod same_length {
    use super::*;

    #[derive(Clone, Debug, Finitize)]
    struct Columns {
        left: Vec<bool>,
        #[finitize(beside = left)]
        right: std::collections::VecDeque<bool>,
    }

    #[rep_ok]
    impl Columns {
        fn rep_ok(&self) -> bool {
            self.left.iter().zip(&self.right).all(|(left, right)| *left || *right)
        }
    }

    #[test]
    fn every_value_once() {
        for scope in 0..=3 {
            let all = (0..=scope).flat_map(|len| {
                let left = lists(&[false, true], len).into_iter();
                left.flat_map(move |left| {
                    let right = lists(&[false, true], len).into_iter();
                    right.map(move |right| Columns { left: left.clone(), right: right.into() }).collect::<Vec<_>>()
                })
            });
            agree(scope, all, |value: &Columns| format!("{value:?}"));
        }
    }
}
