//! `&mut` inside other values that are held while other statements run: tuples, options, vectors, arrays, structs,
//! references, closures, and what containers give.

use super::writer::Writer;

impl Writer {
    /// Writes statements in which these places stand for locals that are lent.
    fn holding(&mut self, lent: &[&str], places: &[&str], most: usize) -> String {
        match lent.split_first() {
            Some((first, rest)) => self.locking(first, |w| w.holding(rest, places, most)),
            None => self.scoped(|w| {
                w.places.extend(places.iter().map(|place| place.to_string()));
                w.statements(most)
            }),
        }
    }

    /// Borrows inside a loop over the keys, so that the borrow lives across reads.
    fn holding_across(&mut self, lent: &[&str], places: &[&str]) -> String {
        if self.keys.len() < 2 && self.chance(40) {
            let (lent, places): (Vec<String>, Vec<String>) =
                (lent.iter().map(|it| it.to_string()).collect(), places.iter().map(|it| it.to_string()).collect());
            return self.walk(None, |w| {
                let (lent, places): (Vec<&str>, Vec<&str>) =
                    (lent.iter().map(String::as_str).collect(), places.iter().map(String::as_str).collect());
                w.holding(&lent, &places, 2)
            });
        }
        self.holding(lent, places, 3)
    }

    /// A block in which something holds a `&mut`.
    pub fn borrow_block(&mut self) -> Option<String> {
        let (one, other) = self.two_names()?;
        let (h, p, q) = (self.fresh("h"), self.fresh("p"), self.fresh("q"));
        let lent = [one.as_str(), other.as_str()];
        let text = match self.below(14) {
            0 => {
                let rest = self.holding_across(&lent, &[&format!("(*{h}.0)"), &format!("(*{h}.1)")]);
                format!("let {h} = (&mut {one}, &mut {other});\n{rest}")
            }
            1 => {
                let rest = self.holding_across(&lent, &[&format!("(*{p})"), &format!("(*{q})")]);
                format!("let ({p}, {q}) = (&mut {one}, &mut {other});\n{rest}")
            }
            2 => {
                let rest = self.holding_across(&lent, &[&format!("(*{h}[0])"), &format!("(*{h}[1])")]);
                format!("let mut {h} = vec![&mut {one}, &mut {other}];\n{rest}")
            }
            3 => {
                let rest = self.holding_across(&lent, &[&format!("(*{h}[0])"), &format!("(*{h}[1])")]);
                format!("let {h} = [&mut {one}, &mut {other}];\n{rest}")
            }
            4 => {
                let rest = self.holding_across(&lent[..1], &[&format!("(*{h}.held)")]);
                format!("let {h} = Holder {{ held: &mut {one} }};\n{rest}")
            }
            5 => {
                let rest = self.holding_across(&lent[..1], &[&format!("(**{q})")]);
                format!("let mut {p} = &mut {one};\nlet {q} = &mut {p};\n{rest}")
            }
            6 | 7 => {
                let between = self.holding(&lent[..1], &[], 1);
                let rest = self.locking(&h, |w| w.holding(&lent[..1], &[&format!("(**{p})")], 2));
                let last = self.locking(&h, |w| w.holding(&lent[..1], &[&format!("(**{p})")], 1));
                let by = self.one_of(["&mut H", "H.as_mut()", "&mut H"]).replace('H', &h);
                format!(
                    "let mut {h} = Some(&mut {one});\n{between}if let Some({p}) = {by} {{\n{rest}}}\n\
                     if let Some({p}) = {h}.as_mut() {{\n{last}}}\n"
                )
            }
            8 => {
                let places = [format!("(**{p})"), format!("(**{q})")];
                let rest = self.locking(&h, |w| w.holding(&lent, &[&places[0], &places[1]], 3));
                format!(
                    "let mut {h} = Some((&mut {one}, &mut {other}));\nif let Some(({p}, {q})) = {h}.as_mut() {{\n{rest}}}\n"
                )
            }
            9 => self.closure_over(&one, &h, &p),
            10 => self.last_held(&one, &h, &p)?,
            11 => self.iterator_held(&one, &h, &p),
            12 => {
                let (key, first) = (self.num(1), self.num(1));
                let rest = self.locking(&h, |w| w.holding_across(&[], &[&format!("(*{p})")]));
                format!(
                    "let mut {h}: std::collections::BTreeMap<u8, u8> = std::collections::BTreeMap::new();\n\
                     {{\nlet {p} = {h}.entry({key}).or_insert({first});\n{rest}}}\n{one} ^= {h}.values().fold(1u8, |sum, n| sum.wrapping_mul(3).wrapping_add(*n));\n"
                )
            }
            _ => {
                let places = [format!("{p}[0]"), format!("{q}[0]"), format!("{q}[1]")];
                let (first, second) = (self.num(1), self.num(1));
                let rest = self.locking(&h, |w| w.holding_across(&[], &[&places[0], &places[1], &places[2]]));
                let kind = self.one_of(["", "vec!"]);
                format!(
                    "let mut {h} = {kind}[{first}, {second}, 2];\n{{\nlet ({p}, {q}) = {h}.split_at_mut(1);\n{rest}}}\n{one} ^= {h}[0] ^ {h}[1];\n"
                )
            }
        };
        Some(format!("{{\n{text}}}\n"))
    }

    /// A closure that changes what it has captured: a local, a part of a tuple, or what a reference leads to.
    fn closure_over(&mut self, one: &str, h: &str, p: &str) -> String {
        let value = self.num(1);
        let (declared, lent, end) = match self.below(3) {
            0 => {
                let body = format!("{{ {one} = {one}.wrapping_mul(2).wrapping_add(k); {one} }}");
                (format!("let mut {h} = |k: u8| {body};\n"), one.to_string(), String::new())
            }
            1 => {
                let body = format!("{{ *{p} = {p}.wrapping_mul(2).wrapping_add(k); *{p} }}");
                (format!("let {p} = &mut {one};\nlet mut {h} = move |k: u8| {body};\n"), one.to_string(), String::new())
            }
            _ => {
                let body = format!("{{ {p}.0 = {p}.0.wrapping_mul(2).wrapping_add(k); {p}.0 }}");
                let declared = format!("let mut {p} = ({value}, 2u8);\nlet mut {h} = |k: u8| {body};\n");
                (declared, p.to_string(), format!("{one} ^= {p}.0 ^ {p}.1;\n"))
            }
        };
        let across = self.keys.len() < 2 && self.chance(40);
        let rest = self.locking(&lent, |w| {
            w.scoped(|w| {
                w.callables.push(h.to_string());
                if across { w.walk(None, |w| w.statements(2)) } else { w.statements(3) }
            })
        });
        format!("{declared}{rest}{h}(1);\n{end}")
    }

    /// What `last_mut`, `get_mut` or `first_mut` give, changed after other statements.
    fn last_held(&mut self, one: &str, h: &str, p: &str) -> Option<String> {
        let (first, second, at) = (self.num(1), self.num(1), self.num(1));
        let method = self.one_of(["last_mut()", "first_mut()", "get_mut(usize::from(AT % 3))"]).replace("AT", &at);
        let top = self.fresh("top");
        let between = self.locking(h, |w| w.holding(&[], &[], 2));
        let rest = self.locking(h, |w| w.holding(&[], &[&format!("(*{p})")], 2));
        Some(format!(
            "let mut {h} = vec![{first}, {second}];\nlet {top} = {h}.{method};\n{between}if let Some({p}) = {top} {{\n{rest}}}\n\
             {one} ^= {h}.iter().fold(1u8, |sum, n| sum.wrapping_mul(3).wrapping_add(*n));\n"
        ))
    }

    /// `iter_mut`, held and taken one by one, or zipped with the keys.
    fn iterator_held(&mut self, one: &str, h: &str, p: &str) -> String {
        let (first, second) = (self.num(1), self.num(1));
        let items = self.fresh("items");
        let kind = self.one_of(["", "vec!"]);
        let steps = if self.chance(50) {
            let by = self.one_of(["0..2u8", "[1u8, 2, 0]"]);
            let k = self.fresh("k");
            let body = self.locking(h, |w| w.holding(&[], &[&format!("(*{p})")], 2));
            format!("for ({p}, {k}) in {h}.iter_mut().zip({by}) {{\n*{p} = {p}.wrapping_add({k});\n{body}}}\n")
        } else {
            let between = self.locking(h, |w| w.holding(&[], &[], 1));
            let body = self.locking(h, |w| w.holding(&[], &[&format!("(*{p})")], 2));
            let last = self.locking(h, |w| w.holding(&[], &[&format!("(*{p})")], 1));
            format!(
                "{{\nlet mut {items} = {h}.iter_mut();\n{between}if let Some({p}) = {items}.next() {{\n{body}}}\nif let Some({p}) = {items}.next() {{\n{last}}}\n}}\n"
            )
        };
        format!(
            "let mut {h} = {kind}[{first}, {second}, 4];\n{steps}{one} ^= {h}.iter().fold(1u8, |sum, n| sum.wrapping_mul(3).wrapping_add(*n));\n"
        )
    }
}
