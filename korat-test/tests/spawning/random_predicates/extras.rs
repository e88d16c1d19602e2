//! Forms that few predicates need and that a mode of search could get wrong all the same: drop glue, interior mutability,
//! closures handed to helpers, local enums, patterns of sequences, chains of iterators.

use super::env::{Access, Ty};
use super::family::Kind;
use super::writer::{Frame, LIMITS, Ret, Writer};

/// Methods that are there for predicates that name them.
pub const ON_DEMAND: [(&str, &str); 3] = [
    (
        "Self::twice(",
        "fn twice(mut f: impl FnMut(usize) -> usize, x: usize) -> usize {\nlet y = f(x);\nf(y % 5) + y\n}\n",
    ),
    (
        "Self::each(",
        "fn each(list: &[usize], f: &mut dyn FnMut(usize)) {\nfor x in list.iter().take(3) {\nf(*x);\n}\n}\n",
    ),
    ("Self::boxed(", "fn boxed(f: Box<dyn Fn(usize) -> usize + '_>) -> usize {\nf(1) + f(2)\n}\n"),
];

/// Items that a body brings along if it names them.
pub const ITEMS: [(&str, &str); 3] = [
    ("State {", "struct State {\ncount: usize,\nlist: Vec<usize>,\non: bool,\n}\n"),
    ("Phase::", "#[derive(Clone, Copy, PartialEq)]\nenum Phase {\nStart,\nOdd(usize),\nEven,\n}\n"),
    (
        "Leaving(",
        "struct Leaving<'c>(&'c Cell<usize>);\n\
         impl Drop for Leaving<'_> {\nfn drop(&mut self) {\nself.0.set(self.0.get() * 2 + 1);\n}\n}\n",
    ),
];

impl Writer {
    pub fn extra_statement(&mut self) -> Option<String> {
        match self.below(18) {
            0 => self.let_extra(),
            1 => self.let_extra(),
            2 => self.change_extra(),
            3 => self.change_extra(),
            4 => self.two_at_once(),
            5 => self.change_option(),
            6 => self.match_slice(),
            7 => self.hand_over_closure(),
            8 => self.drop_guard(),
            9 => self.walk_struct(),
            10 => self.nested_recursion(),
            11 => self.drain(),
            12 => self.copy_of_field(),
            13 | 14 => self.for_field(),
            15 | 16 => self.work_of_pairs(),
            _ => self.sort_nodes(),
        }
    }

    fn let_extra(&mut self) -> Option<String> {
        Some(match self.below(5) {
            0 => {
                let (one, other, value) = (self.fresh("cell"), self.fresh("cell"), self.num(1));
                self.env.declare(&one, Ty::Counter, false);
                self.env.declare(&other, Ty::Counter, false);
                // `Rc::clone` of what is not part of the structure.
                let alias = if LIMITS { format!("Rc::clone(&{one})") } else { format!("{one}.clone()") };
                format!("let {one}: Rc<Cell<usize>> = Rc::new(Cell::new({value}));\nlet {other} = {alias};\n")
            }
            1 => {
                let (name, value) = (self.fresh("log"), self.num(1));
                self.env.declare(&name, Ty::Log, true);
                format!("let {name}: RefCell<Vec<usize>> = RefCell::new(vec![{value}]);\n")
            }
            2 => {
                let name = self.fresh("text");
                self.env.declare(&name, Ty::Text, true);
                format!("let mut {name} = String::new();\n")
            }
            3 => {
                let name = self.fresh("heap");
                self.env.declare(&name, Ty::Heap, true);
                format!("let mut {name}: BinaryHeap<usize> = BinaryHeap::new();\n")
            }
            _ => {
                let name = self.fresh("phase");
                self.env.declare(&name, Ty::Phase, true);
                format!("let mut {name} = Phase::Start;\n")
            }
        })
    }

    pub fn change_extra(&mut self) -> Option<String> {
        let id = self.var(Access::Write, &[Ty::Log, Ty::Text, Ty::Heap, Ty::Phase, Ty::Ranks])?;
        let (name, ty) = (self.name_of(id), self.env.get(id).ty);
        self.lending(id, true, |w| {
            Some(match ty {
                Ty::Log => match w.below(3) {
                    0 => format!("{name}.borrow_mut().push({});\n", w.num(1)),
                    1 => format!("{name}.borrow_mut().pop();\n"),
                    _ => {
                        let value = w.num(1);
                        format!("{name}.replace_with(|old| {{ old.push({value}); std::mem::take(old) }});\n")
                    }
                },
                Ty::Text => match w.below(3) {
                    0 => format!("{name}.push(if {} {{ 'a' }} else {{ 'b' }});\n", w.boolean(1)),
                    1 => format!("{name} += if {} {{ \"x\" }} else {{ \"\" }};\n", w.boolean(1)),
                    _ => format!("{name}.push_str(&format!(\"{{}},\", {}));\n", w.num(1)),
                },
                Ty::Heap => match w.below(3) {
                    0 | 1 => format!("{name}.push({});\n", w.num(1)),
                    _ => format!("{name}.pop();\n"),
                },
                Ty::Ranks => {
                    let node = w.var(Access::Read, &[Ty::Node])?;
                    let identity = w.identity(node);
                    format!("*{name}.entry({identity}).or_insert({}) += {};\n", w.num(1), w.num(1))
                }
                _ => {
                    let (test, value) = (w.boolean(1), w.num(1));
                    format!(
                        "{name} = match ({name}, {test}) {{\n(Phase::Start, true) => Phase::Odd({value}),\n\
                         (Phase::Odd(n), true) if n > 1 => Phase::Even,\n(Phase::Odd(n), _) => Phase::Odd(n + 1),\n\
                         _ => Phase::Start,\n}};\n"
                    )
                }
            })
        })
    }

    /// A number out of what `let_extra` made, or of a longer chain of iterators.
    pub fn extra_num(&mut self, depth: usize) -> Option<String> {
        let inner = depth.saturating_sub(1);
        if self.chance(40) {
            let id = self.var(Access::Read, &[Ty::Log, Ty::Text, Ty::Heap, Ty::Phase, Ty::Ranks])?;
            let (name, ty) = (self.name_of(id), self.env.get(id).ty);
            return Some(match ty {
                Ty::Log => format!("{name}.borrow().iter().sum::<usize>()"),
                Ty::Text => self.one_of([format!("{name}.len()"), format!("{name}.matches('a').count()")]),
                Ty::Heap => format!("{name}.peek().copied().unwrap_or({})", self.num(0)),
                Ty::Ranks => match self.var(Access::Read, &[Ty::Node]) {
                    Some(node) => format!("{name}.get(&({})).copied().unwrap_or(3)", self.identity(node)),
                    None => format!("{name}.len()"),
                },
                _ => format!("(match {name} {{ Phase::Start => 0, Phase::Odd(n) => n, Phase::Even => 2 }})"),
            });
        }
        Some(match self.below(6) {
            0 => {
                let map = self.closure(Ty::Num, false, |w, _| w.num(inner));
                format!("(0..3).map({map}).sum::<usize>()")
            }
            1 => {
                let start = self.maybe_node(inner)?;
                let step = self.purely(|w| w.closure(Ty::Node, true, |w, _| w.linked().unwrap_or("None".to_string())));
                let map = self.closure(Ty::Node, false, |w, _| w.num(inner));
                format!("std::iter::successors({start}, {step}).take(3).map({map}).sum::<usize>()")
            }
            2 => {
                let (one, other) = (self.var(Access::Read, &[Ty::Nums])?, self.var(Access::Read, &[Ty::Nums])?);
                let (one, other) = (self.name_of(one), self.name_of(other));
                format!("{one}.iter().zip({other}.iter().skip(1)).filter(|(x, y)| x < y).count()")
            }
            3 => {
                let id = self.var(Access::Read, &[Ty::Nums])?;
                let name = self.name_of(id);
                let test = self.lending(id, false, |w| {
                    let pair = w.fresh("pair");
                    let other = w.in_closure(|w| w.num(inner));
                    format!("|{pair}| {pair}[0] + {other} > {pair}[1]")
                });
                format!("{name}.windows(2).filter({test}).count()")
            }
            4 => {
                let id = self.var(Access::Read, &[Ty::Nodes])?;
                let name = self.name_of(id);
                let map = self.lending(id, false, |w| w.closure(Ty::Node, true, |w, _| w.num(inner)));
                format!("{name}.iter().rev().map({map}).max().unwrap_or(1)")
            }
            _ => {
                let id = self.var(Access::Read, &[Ty::Nums])?;
                let name = self.name_of(id);
                let map = self.lending(id, false, |w| w.closure(Ty::Num, false, |w, _| w.num(inner)));
                format!("{name}.iter().copied().chain([1, 2]).map({map}).collect::<Vec<usize>>().len()")
            }
        })
    }

    /// `(a, b) = (.., ..)`.
    fn two_at_once(&mut self) -> Option<String> {
        let one = self.var(Access::Write, &[Ty::Num])?;
        let other = self.lending(one, true, |w| w.var(Access::Write, &[Ty::Num]))?;
        let (first, second) = (self.num(1), self.num(1));
        Some(format!("({}, {}) = ({first}, {second});\n", self.place(one), self.place(other)))
    }

    /// An option of a number is changed in place.
    fn change_option(&mut self) -> Option<String> {
        let id = self.var(Access::Write, &[Ty::MaybeNum])?;
        let name = self.name_of(id);
        let value = self.lending(id, true, |w| w.num(1));
        let held = self.fresh("held");
        let body = self.lending(id, true, |w| w.block(1));
        let forms = [
            format!("if let Some({held}) = &mut {name} {{\n{body}*{held} += {value};\n}}\n"),
            format!("if let Some({held}) = {name}.as_mut() {{\n{body}*{held} ^= {value};\n}}\n"),
            format!("*{name}.get_or_insert({value}) += 1;\n"),
            format!("{name}.take();\n"),
        ];
        Some(self.one_of(forms))
    }

    /// Elements of a vector of its own, by pattern.
    fn match_slice(&mut self) -> Option<String> {
        let id = self.var(Access::Read, &[Ty::Nums])?;
        let name = self.name_of(id);
        let (first, last) = (self.fresh("y"), self.fresh("y"));
        let (one, two, other) = self.lending(id, false, |w| {
            let bound = |w: &mut Self, names: &[&String]| {
                w.scoped(|w| {
                    for name in names {
                        let id = w.env.declare(name, Ty::Num, false);
                        w.env.get_mut(id).by_ref = true;
                    }
                    w.statements(2)
                })
            };
            (bound(w, &[&first]), bound(w, &[&first, &last]), bound(w, &[]))
        });
        let slice = self.one_of([format!("{name}.as_slice()"), format!("&{name}[..]")]);
        Some(format!(
            "match {slice} {{\n[{first}] => {{\n{one}}}\n[{first}, .., {last}] => {{\n{two}}}\n_ => {{\n{other}}}\n}}\n"
        ))
    }

    /// A closure that a helper calls.
    fn hand_over_closure(&mut self) -> Option<String> {
        if self.frame.loops > 1 || self.pure > 0 || self.frame.in_closure {
            return None;
        }
        let (result, parameter) = (self.fresh("n"), self.fresh("x"));
        let form = self.below(3);
        let boxed = form == 2;
        self.pure += u32::from(boxed);
        let (change, value) = self.in_closure(|w| {
            w.env.declare(&parameter, Ty::Num, false);
            (w.simple_statement().unwrap_or_default(), w.num(2))
        });
        self.pure -= u32::from(boxed);
        let call = match form {
            0 => format!("Self::twice(|{parameter}| {{\n{change}{value}\n}}, {})", self.below(4)),
            1 => return Some(format!("Self::each(&[1, 2, 0], &mut |{parameter}| {{\n{change}}});\n")),
            _ => format!("Self::boxed(Box::new(|{parameter}| {{\n{change}{value}\n}}))"),
        };
        self.env.declare(&result, Ty::Num, true);
        Some(format!("let mut {result}: usize = {call};\n"))
    }

    /// A value whose drop changes something, however the block is left.
    fn drop_guard(&mut self) -> Option<String> {
        let id = self.var(Access::Read, &[Ty::Counter])?;
        let (cell, guard) = (self.name_of(id), self.fresh("leaving"));
        let body = self.lending(id, false, |w| w.block(3));
        Some(format!("{{\nlet {guard} = Leaving(&{cell});\n{body}}}\n"))
    }

    /// A function inside the body that calls itself along links.
    fn nested_recursion(&mut self) -> Option<String> {
        let argument = self.maybe_node(1)?;
        let (inner, node, result) = (self.fresh("inner"), self.fresh("m"), self.fresh("n"));
        let frame = std::mem::replace(&mut self.frame, Frame::of(Ret::Num, false));
        let env = std::mem::take(&mut self.env);
        self.env.declare(&node, Ty::Node, false);
        self.env.declare("depth", Ty::Num, false);
        let total = self.env.declare("total", Ty::Num, true);
        self.env.get_mut(total).by_ref = true;
        let (change, guard) = (self.simple_statement().unwrap_or_default(), self.purely(|w| w.boolean(1)));
        let (next, value) = (self.linked().unwrap_or("None".to_string()), self.num(1));
        (self.env, self.frame) = (env, frame);
        let ty = self.type_text(Ty::MaybeNode, "");
        self.env.declare(&result, Ty::Num, true);
        Some(format!(
            "fn {inner}(node: {ty}, depth: usize, total: &mut usize) -> usize {{\nmatch node {{\n\
             Some({node}) if depth > 0 && {guard} => {{\n{change}let below = {inner}({next}, depth - 1, total);\nbelow + {value}\n}}\n\
             Some(_) => {{\n*total += 1;\n*total\n}}\nNone => 1,\n}}\n}}\n\
             let mut {result}: usize = {{\nlet mut total: usize = 0;\nlet got = {inner}({argument}, 3, &mut total);\ngot + total\n}};\n"
        ))
    }

    /// A vector of the structure, copied and then changed.
    fn copy_of_field(&mut self) -> Option<String> {
        let (field, kind) = self.field(&[Kind::Numbers, Kind::Pair])?;
        let (name, value) = (self.fresh("list"), self.num(1));
        let copy = match kind {
            Kind::Pair => format!("{field}.iter().map(|x| usize::from(*x)).collect()"),
            _ => {
                let copy = self.one_of([
                    "clone()",
                    "to_vec()",
                    "iter().copied().collect()",
                    "iter().map(|x| x + 1).collect()",
                ]);
                format!("{field}.{copy}")
            }
        };
        self.env.declare(&name, Ty::Nums, true);
        Some(format!("let mut {name}: Vec<usize> = {copy};\n{name}.push({value});\n"))
    }

    /// Choices in the middle of std's sorting.
    fn sort_nodes(&mut self) -> Option<String> {
        let id = self.var(Access::Write, &[Ty::Nodes])?;
        let name = self.name_of(id);
        let key = self.lending(id, true, |w| w.purely(|w| w.closure(Ty::Node, true, |w, _| w.num(1))));
        Some(format!("{name}.sort_by_key({key});\n"))
    }
}
