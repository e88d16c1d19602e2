//! Statements: assignments, branches, loops whose labels hide others, closures called after what they captured has changed.

use super::writer::Writer;

impl Writer {
    /// At most so many statements, in the block that is being written.
    pub fn statements(&mut self, most: usize) -> String {
        (0..1 + self.below(most)).map(|_| self.statement()).collect()
    }

    fn statement(&mut self) -> String {
        for _ in 0..8 {
            let form = if self.budget > 0 { self.below(24) } else { self.below(10) };
            if form >= 10 {
                self.budget -= 1;
            }
            let text = match form {
                0..=3 => self.assignment(),
                4 | 5 => self.tally_statement(),
                6 | 7 => self.macro_statement(),
                8 => {
                    let (name, value) = (self.fresh("n"), self.num(2));
                    self.places.push(name.clone());
                    Some(format!("let mut {name}: u8 = {value};\n"))
                }
                9 => self.leave(),
                10 | 11 => Some(self.branch()),
                12..=15 => self.borrow_block(),
                16 => Some(self.labelled_loops()),
                17 => self.called_later(),
                18..=20 => Some(self.items_block()),
                21 => Some(self.guards()),
                22 => Some(self.let_tally()),
                _ => self.swapped(),
            };
            if let Some(text) = text {
                return text;
            }
        }
        ";\n".to_string()
    }

    fn assignment(&mut self) -> Option<String> {
        let place = self.changeable()?;
        let operator = match self.below(8) {
            0..=3 => "=",
            4 | 5 => "^=",
            6 => "|=",
            _ if self.panics => "+=",
            _ => "&=",
        };
        let depth = if self.chance(25) { 3 } else { 2 };
        Some(format!("{place} {operator} {};\n", self.num(depth)))
    }

    fn swapped(&mut self) -> Option<String> {
        let (one, other) = self.two_changeable()?;
        Some(format!("std::mem::swap(&mut {one}, &mut {other});\n"))
    }

    fn branch(&mut self) -> String {
        let (condition, then) = (self.condition(2), self.scoped(|w| w.statements(2)));
        let otherwise =
            if self.chance(40) { format!(" else {{\n{}}}", self.scoped(|w| w.statements(1))) } else { String::new() };
        format!("if {condition} {{\n{then}}}{otherwise}\n")
    }

    /// A way out of a loop, by the label that counts here, or of the method.
    pub fn leave(&mut self) -> Option<String> {
        let label = self.labels.last()?.clone();
        let (word, condition) = (self.one_of(["break", "continue"]), self.condition(1));
        if self.chance(15) {
            return Some(format!("if {condition} {{\nreturn false;\n}}\n"));
        }
        Some(format!("if {condition} {{\n{word} '{label};\n}}\n"))
    }

    /// A loop, or a block, with a label that another has.
    fn labelled_loops(&mut self) -> String {
        let label = self.labels.last().cloned().unwrap_or_else(|| "a".to_string());
        if self.keys.len() < 2 && self.chance(50) {
            return self.walk(Some(label), |w| w.statements(3));
        }
        let counter = self.fresh("i");
        let body = |w: &mut Self| {
            w.labels.push(label.clone());
            let body = w.scoped(|w| w.statements(2));
            w.labels.pop();
            body
        };
        if self.chance(40) {
            // A block cannot be continued.
            let labels = std::mem::take(&mut self.labels);
            let first = self.scoped(|w| w.statements(1));
            let (condition, rest) = (self.condition(1), self.scoped(|w| w.statements(1)));
            self.labels = labels;
            return format!("'{label}: {{\n{first}if {condition} {{\nbreak '{label};\n}}\n{rest}}}\n");
        }
        format!("'{label}: for {counter} in 0..2u8 {{\n{}}}\n", body(self))
    }

    /// A closure with a copy, called after the local has changed.
    fn called_later(&mut self) -> Option<String> {
        let (name, closure) = (self.changeable_name()?, self.fresh("f"));
        let place = self.changeable()?;
        let between = self.scoped(|w| w.statements(2));
        Some(format!(
            "let {closure} = move |by: u8| {name}.wrapping_add(by);\n{name} ^= 1;\n{between}{place} ^= {closure}(1);\n"
        ))
    }

    /// A block whose items hide those beside the method.
    fn items_block(&mut self) -> String {
        let number = 5 + self.below(20);
        let item = match self.below(9) {
            0 | 1 => format!("const K: u8 = {number};\n"),
            2 => format!("fn twist(x: u8) -> u8 {{\nx.wrapping_add({number})\n}}\n"),
            3 => "use turn as twist;\n".to_string(),
            4 => format!("static BASE: u8 = {number};\n"),
            5 => format!("struct Weight(u8);\nimpl Weight {{\nfn get(&self) -> u8 {{\nself.0 ^ {number}\n}}\n}}\n"),
            6 => format!("enum Step {{\nLarge = {number},\nSmall = 2,\n}}\n"),
            7 => "type Number = i32;\n".to_string(),
            _ => "macro_rules! twice {\n($x:expr) => { ($x).wrapping_mul(3) };\n}\n".to_string(),
        };
        let user = match item.split_whitespace().nth(1) {
            Some("K:") => "K".to_string(),
            Some("BASE:") => "BASE".to_string(),
            Some("Weight(u8);") => format!("Weight({}).get()", self.num(1)),
            Some("Step") => "(Step::Large as u8)".to_string(),
            Some("Number") => "((700u16 as Number) as u8)".to_string(),
            Some("twice") => format!("twice!({})", self.num(1)),
            _ => format!("twist({})", self.num(1)),
        };
        let Some(place) = self.changeable() else { return ";\n".to_string() };
        let rest = self.scoped(|w| w.statements(2));
        let after = format!("{place} ^= {};\n", user.clone());
        // A macro is known only behind its definition; other items are known in the whole block.
        if item.starts_with("macro_rules!") || self.chance(70) {
            format!("{{\n{item}{place} = {place}.wrapping_mul(3) ^ {user};\n{rest}}}\n{after}")
        } else {
            format!("{{\n{place} = {place}.wrapping_mul(3) ^ {user};\n{rest}{item}}}\n{after}")
        }
    }
}
