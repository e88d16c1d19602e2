//! Statements other than loops: `let`, assignment, branches, closures, ways out of a function.

use super::env::{Access, Ty};
use super::family::{Handle, Kind};
use super::writer::{Callable, Frame, LIMITS, Ret, Writer};

impl Writer {
    /// At most so many statements, in the block that is being written.
    pub fn statements(&mut self, most: usize) -> String {
        let mut text = String::new();
        for _ in 0..1 + self.below(most) {
            text += &self.statement();
        }
        text
    }

    /// A block of statements, without its braces.
    pub fn block(&mut self, most: usize) -> String {
        self.scoped(|w| w.statements(most))
    }

    pub fn statement(&mut self) -> String {
        self.budget -= 1;
        for _ in 0..8 {
            // Nothing that nests, once the budget is used up.
            let form = if self.budget > 0 { self.below(38) } else { self.below(8) };
            let text = match form {
                0..=3 => self.simple_statement(),
                4 => Some(self.let_scalar()),
                5 => self.change_container(),
                6 => self.assign_field(),
                7 => self.move_container(),
                8 => Some(self.let_container()),
                9..=11 => self.branch(),
                12 | 13 => self.if_let(),
                14 => self.let_else(),
                15 => self.match_fields(),
                16 => self.match_links(),
                17 => self.take_apart(),
                18..=21 => self.any_loop(),
                22 => self.leave_if(),
                23 => self.closure_block(),
                24 => self.reference(),
                25 => self.shared_reference(),
                26 => self.guard_block(),
                27 => Some(self.let_struct_or_cell()),
                28 => self.labelled_block(),
                29 => self.call_statement(),
                30 => self.question(),
                _ => self.extra_statement(),
            };
            if let Some(text) = text {
                return text;
            }
        }
        self.let_scalar()
    }

    /// A change of some variable, in one line, that declares nothing and leaves nothing.
    pub fn simple_statement(&mut self) -> Option<String> {
        match self.below(4) {
            0 | 1 => {
                let id = self.var(Access::Write, &[Ty::Num])?;
                let place = self.place(id);
                let operator = self.one_of(["+=", "+=", "+=", "=", "^=", "*="]);
                Some(format!("{place} {operator} {};\n", self.num(2)))
            }
            2 => {
                let id = self.var(Access::Write, &[Ty::Bool, Ty::MaybeNode, Ty::MaybeNum])?;
                let place = self.place(id);
                Some(match self.env.get(id).ty {
                    Ty::Bool => {
                        let operator = self.one_of(["=", "^=", "|=", "&="]);
                        format!("{place} {operator} {};\n", self.boolean(2))
                    }
                    Ty::MaybeNode => format!("{place} = {};\n", self.maybe_node(1)?),
                    _ => format!("{place} = {};\n", self.maybe_num(1)?),
                })
            }
            _ => self.change_container(),
        }
    }

    fn let_scalar(&mut self) -> String {
        let mutable = if self.chance(70) { "mut " } else { "" };
        let (ty, stem, value) = match self.below(8) {
            0..=3 => (Ty::Num, "n", self.num(2)),
            4 | 5 => (Ty::Bool, "b", self.boolean(2)),
            6 => match self.maybe_node(2) {
                Some(value) => (Ty::MaybeNode, "at", value),
                None => (Ty::Bool, "b", self.boolean(2)),
            },
            _ => match self.maybe_num(2) {
                Some(value) => (Ty::MaybeNum, "o", value),
                None => (Ty::Num, "n", self.num(2)),
            },
        };
        let name = self.name(stem);
        self.env.declare(&name, ty, !mutable.is_empty());
        format!("let {mutable}{name}: {} = {value};\n", self.type_text(ty, ""))
    }

    /// A variable takes what a field says.
    fn assign_field(&mut self) -> Option<String> {
        let id = self.var(Access::Write, &[Ty::Num])?;
        let (field, kind) = self.field(&[Kind::Num, Kind::Small, Kind::Flag])?;
        let value = if kind == Kind::Num { field } else { format!("usize::from({field})") };
        let place = self.place(id);
        let (first, second) = (2 + self.below(3), 5 + self.below(3));
        Some(format!("{place} = ({place} * {first} + {value}) % {second};\n"))
    }

    fn let_struct_or_cell(&mut self) -> String {
        if self.chance(40) {
            let (name, value) = (self.fresh("cell"), self.num(1));
            self.env.declare(&name, Ty::Counter, false);
            return format!("let {name}: Cell<usize> = Cell::new({value});\n");
        }
        let (name, count, on) = (self.fresh("state"), self.num(1), self.boolean(1));
        self.env.declare(&name, Ty::State, true);
        format!("let mut {name} = State {{ count: {count}, list: Vec::new(), on: {on} }};\n")
    }

    /// A condition, with a chain of `let` now and then; what it binds is in scope afterwards.
    pub fn condition(&mut self) -> String {
        if self.chance(25)
            && let Some(maybe) = self.maybe_node(1)
        {
            let name = self.fresh("m");
            let first = self.chance(40).then(|| self.boolean(1));
            self.env.declare(&name, Ty::Node, false);
            let mut text = first.map(|first| format!("{first} && ")).unwrap_or_default();
            text += &format!("let Some({name}) = {maybe}");
            if self.chance(60) {
                text += &format!(" && {}", self.boolean(1));
            }
            if self.chance(40)
                && let Some(maybe) = self.linked()
            {
                let name = self.fresh("m");
                self.env.declare(&name, Ty::Node, false);
                text += &format!(" && let Some({name}) = {maybe}");
            }
            return text;
        }
        self.boolean(2)
    }

    fn branch(&mut self) -> Option<String> {
        let mut text = self.scoped(|w| format!("if {} {{\n{}}}", w.condition(), w.statements(2)));
        if self.chance(30) {
            text += &self.scoped(|w| format!(" else if {} {{\n{}}}", w.condition(), w.statements(2)));
        }
        if self.chance(40) {
            text += &format!(" else {{\n{}}}", self.block(2));
        }
        Some(text + "\n")
    }

    fn if_let(&mut self) -> Option<String> {
        let maybe = self.maybe_node(2)?;
        let name = self.fresh("m");
        let some = self.scoped(|w| {
            w.env.declare(&name, Ty::Node, false);
            w.statements(3)
        });
        let none = if self.chance(40) { format!(" else {{\n{}}}", self.block(2)) } else { String::new() };
        Some(format!("if let Some({name}) = {maybe} {{\n{some}}}{none}\n"))
    }

    fn let_else(&mut self) -> Option<String> {
        let maybe = self.maybe_node(1)?;
        let leave = self.leave()?;
        let name = self.fresh("m");
        self.env.declare(&name, Ty::Node, false);
        Some(format!("let Some({name}) = {maybe} else {{ {leave} }};\n"))
    }

    /// A way out: of a loop, of a block with a label, of the function.
    pub fn leave(&mut self) -> Option<String> {
        let count = self.frame.around.len();
        if count == 0 || self.chance(30) {
            let ret = self.frame.ret?;
            // Most values are accepted, if at all, at the end.
            let value = if ret == Ret::Bool && self.chance(70) { "false".to_string() } else { self.result(ret, 1) };
            return Some(format!("return {value};"));
        }
        let at = if self.chance(70) { count - 1 } else { self.below(count) };
        let around = self.frame.around[at].clone();
        let through_block = self.frame.around[at..].iter().any(|it| it.is_block);
        let label = if at + 1 < count || through_block || self.chance(20) {
            format!(" '{}", around.label)
        } else {
            String::new()
        };
        if !around.is_block && self.chance(40) {
            return Some(format!("continue{label};"));
        }
        let value = if around.gives_num { format!(" {}", self.num(1)) } else { String::new() };
        Some(format!("break{label}{value};"))
    }

    fn leave_if(&mut self) -> Option<String> {
        self.scoped(|w| {
            let condition = w.condition();
            let before = if w.chance(30) { w.simple_statement().unwrap_or_default() } else { String::new() };
            let leave = w.leave()?;
            Some(format!("if {condition} {{\n{before}{leave}\n}}\n"))
        })
    }

    /// `match` on a tuple of fields, or of a field and a number, with guards and bindings.
    fn match_fields(&mut self) -> Option<String> {
        let flag = self.field(&[Kind::Flag]).map_or_else(|| self.boolean(0), |(field, _)| field);
        let number = self.num(1);
        let (name, other) = (self.fresh("k"), self.fresh("k"));
        let guarded = self.scoped(|w| {
            w.env.declare(&name, Ty::Num, false);
            format!("({name}, false) if {} => {{\n{}}}\n", w.purely(|w| w.boolean(1)), w.statements(2))
        });
        let bound = self.scoped(|w| {
            w.env.declare(&other, Ty::Num, false);
            format!("({other} @ 0..=1, _) => {{\n{}}}\n", w.statements(2))
        });
        let (first, rest) = (self.block(1), self.block(1));
        Some(format!(
            "match ({number}, {flag}) {{\n(0 | 2, true) => {{\n{first}}}\n{guarded}{bound}_ => {{\n{rest}}}\n}}\n"
        ))
    }

    /// `match` on two links, by reference.
    fn match_links(&mut self) -> Option<String> {
        // A guard of a cell would have to live as long as the match.
        if self.family.handle == Handle::Cell {
            return None;
        }
        let ((one, _), (two, _)) = (self.field(&[Kind::Link])?, self.field(&[Kind::Link])?);
        let (left, right, only) = (self.fresh("l"), self.fresh("r"), self.fresh("only"));
        // A box is looked through at once; an `Rc` is held by reference.
        let boxed = self.family.handle == Handle::Ref;
        let link = |name: &str| if boxed { format!("let {name} = &**{name};\n") } else { String::new() };
        let both = self.scoped(|w| {
            for name in [&left, &right] {
                let id = w.env.declare(name, Ty::Node, false);
                w.env.get_mut(id).by_ref = !boxed;
            }
            w.statements(2)
        });
        let single = self.scoped(|w| {
            let id = w.env.declare(&only, Ty::Node, false);
            w.env.get_mut(id).by_ref = !boxed;
            w.statements(2)
        });
        let neither = self.block(1);
        let (let_left, let_right, let_only) = (link(&left), link(&right), link(&only));
        Some(format!(
            "match (&{one}, &{two}) {{\n(Some({left}), Some({right})) => {{\n{let_left}{let_right}{both}}}\n\
             (Some({only}), None) | (None, Some({only})) => {{\n{let_only}{single}}}\n(None, None) => {{\n{neither}}}\n}}\n"
        ))
    }

    /// A pattern that takes a node apart.
    fn take_apart(&mut self) -> Option<String> {
        if self.family.handle != Handle::Ref {
            return None;
        }
        let id = self.var(Access::Read, &[Ty::Node])?;
        // A star in front of a reference to a reference is taken for a node by value; patterns see through it without.
        let by = if LIMITS && self.env.get(id).by_ref { "*" } else { "" };
        let object = format!("{by}{}", self.name_of(id));
        let fields = self.family.node_fields;
        let number = fields.iter().find(|field| field.kind == Kind::Num);
        let link = fields.iter().find(|field| field.kind == Kind::Link)?;
        let node = self.family.node;
        let (key, next) = (self.fresh("k"), self.fresh("next"));
        let reader = format!("let {next} = {next}.as_deref();\n");
        let pattern = number.map(|field| format!("{}: {key}, ", field.name)).unwrap_or_default();
        if number.is_some() {
            let id = self.env.declare(&key, Ty::Num, false);
            self.env.get_mut(id).by_ref = true;
        }
        self.env.declare(&next, Ty::MaybeNode, false);
        Some(format!("let {node} {{ {pattern}{}: {next}, .. }} = {object};\n{reader}", link.name))
    }

    /// A closure, and statements that call it while it holds what it captures.
    fn closure_block(&mut self) -> Option<String> {
        if self.frame.in_closure {
            return None;
        }
        if self.chance(20) {
            return Some(self.nested_function());
        }
        let (name, parameter) = (self.fresh("f"), self.fresh("x"));
        let mutates = self.chance(60);
        let before = self.env.count();
        self.env.watch();
        self.pure += u32::from(!mutates);
        let body = self.in_closure(|w| {
            w.env.declare(&parameter, Ty::Num, false);
            let first = w.simple_statement().unwrap_or_default();
            let second = if w.chance(50) { w.simple_statement().unwrap_or_default() } else { String::new() };
            format!("{{\n{first}{second}{}\n}}", w.num(2))
        });
        self.pure -= u32::from(!mutates);
        let mentions = self.env.watched(before);
        for id in &mentions.reads {
            self.env.lend(*id, false);
        }
        for id in &mentions.writes {
            self.env.lend(*id, true);
        }
        // As if the captured counters were seen nowhere else while the closure lives.
        let mutates = !mentions.writes.is_empty();
        let uses = self.scoped(|w| {
            w.frame.callables.push(Callable { name: name.clone(), mutates });
            let result = w.fresh("n");
            let call = format!("let mut {result}: usize = {name}({});\n", w.purely(|w| w.num(1)));
            w.env.declare(&result, Ty::Num, true);
            format!("{call}{}", w.statements(3))
        });
        for id in &mentions.reads {
            self.env.give_back(*id, false);
        }
        for id in &mentions.writes {
            self.env.give_back(*id, true);
        }
        let by = if mutates { "mut " } else { "" };
        Some(format!("{{\nlet {by}{name} = |{parameter}: usize| -> usize {body};\n{uses}}}\n"))
    }

    /// A function inside the body, which sees nothing but its parameters.
    fn nested_function(&mut self) -> String {
        let (name, parameter) = (self.fresh("inner"), self.fresh("x"));
        let frame = std::mem::replace(&mut self.frame, Frame::of(Ret::Num, false));
        let env = std::mem::take(&mut self.env);
        self.env.declare(&parameter, Ty::Num, true);
        let first = self.simple_statement().unwrap_or_default();
        let body = format!("{first}{}", self.num(2));
        self.env = env;
        self.frame = frame;
        self.frame.callables.push(Callable { name: name.clone(), mutates: false });
        format!("fn {name}(mut {parameter}: usize) -> usize {{\n{body}\n}}\n")
    }

    /// A guard of a cell, held while other fields are read.
    fn guard_block(&mut self) -> Option<String> {
        if self.family.handle != Handle::Cell {
            return None;
        }
        let id = self.var(Access::Read, &[Ty::Node])?;
        let node = self.name_of(id);
        let guard = self.fresh("guard");
        let body = self.lending(id, false, |w| {
            w.scoped(|w| {
                w.env.declare(&guard, Ty::Guard, false);
                w.statements(3)
            })
        });
        Some(format!("{{\nlet {guard} = {node}.borrow();\n{body}}}\n"))
    }

    /// `?`, where the function gives an option or a result.
    fn question(&mut self) -> Option<String> {
        let ret = self.frame.ret?;
        let (ty, stem, value) =
            if self.chance(50) { (Ty::Node, "m", self.maybe_node(1)?) } else { (Ty::Num, "n", self.maybe_num(1)?) };
        let how = match ret {
            Ret::MaybeNum | Ret::MaybeNode => "?".to_string(),
            Ret::Checked => format!(".ok_or::<usize>({})?", self.num(1)),
            Ret::Bool | Ret::Num | Ret::Nums | Ret::Unit => return None,
        };
        let name = self.fresh(stem);
        self.env.declare(&name, ty, false);
        Some(format!("let {name}: {} = {value}{how};\n", self.type_text(ty, "")))
    }

    /// What a function gives back.
    pub fn result(&mut self, ret: Ret, depth: usize) -> String {
        match ret {
            Ret::Bool => self.boolean(depth),
            Ret::Num => self.num(depth),
            Ret::MaybeNum => self.maybe_num(depth).unwrap_or("None".to_string()),
            Ret::Checked if self.chance(25) => format!("Err({})", self.num(depth)),
            Ret::Checked => format!("Ok({})", self.num(depth)),
            Ret::MaybeNode => self.maybe_node(depth).unwrap_or("None".to_string()),
            Ret::Nums => match self.var(Access::Read, &[Ty::Nums]) {
                Some(id) => self.value(id),
                None => format!("vec![{}]", self.num(depth)),
            },
            Ret::Unit => String::new(),
        }
    }
}
