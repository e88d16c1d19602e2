//! Idioms that invariants are full of, with parts that are random: recursive helpers that return early, stacks of tuples and of
//! structs, counts in maps, keys in order, names compared as `&str`.

use super::types::Ty;
use super::writer::{By, Var, Writer};

impl Writer {
    /// An idiom of the structure, as statements.
    pub fn idiom(&mut self) -> String {
        match self.root {
            "Tree" => self.tree_idiom(),
            "List" => self.list_idiom(),
            "Program" => self.program_idiom(),
            "Arena" => self.arena_idiom(),
            "Book" => self.book_idiom(),
            "Table" => self.table_idiom(),
            _ => self.graph_idiom(),
        }
    }

    fn once(&mut self, key: &str, text: String) {
        if !self.helpers.iter().any(|(known, _)| known == key) {
            self.helpers.push((key.to_string(), text));
        }
    }

    /// A number read of a node.
    fn of(&mut self, name: &str, ty: Ty) -> String {
        let var = [Var::of(name, ty, By::Ref)];
        self.with(&var, |w| w.num(2))
    }

    fn tree_idiom(&mut self) -> String {
        let class = Ty::Class("Fork");
        let read = self.of("node", class);
        match self.below(9) {
            0 => {
                let test = self.one_of(["l.abs_diff(r) > 1", "l < r", "l + r > 2"]);
                self.once("height", format!("fn height(link: &Option<Box<Fork>>) -> Option<u32> {{\nlet Some(node) = link else {{ return Some(0) }};\nlet (l, r) = (Self::height(&node.left)?, Self::height(&node.right)?);\nif {test} {{ None }} else {{ Some(1 + l.max(r)) }}\n}}\n"));
                "match Self::height(&self.root) {\nNone => return false,\nSome(height) => total += height,\n}\n".to_string()
            }
            1 => {
                self.once("within", "fn within(node: &Fork, low: Option<u8>, high: Option<u8>) -> bool {\nif low.is_some_and(|low| node.key < low) || high.is_some_and(|high| node.key > high) {\nreturn false;\n}\nnode.left.as_deref().is_none_or(|left| Self::within(left, low, Some(node.key))) && node.right.as_ref().is_none_or(|right| Self::within(right, Some(node.key), high))\n}\n".to_string());
                "if let Some(root) = &self.root && !Self::within(root, None, None) {\nreturn false;\n}\n".to_string()
            }
            2 => format!("let mut stack = vec![];\nstack.extend(self.root.as_deref().map(|root| (root, 1u32)));\nlet mut deepest = 0;\nwhile let Some((node, depth)) = stack.pop() {{\ndeepest = deepest.max(depth);\ntotal += {read};\nfor child in [&node.left, &node.right].into_iter().flatten() {{\nstack.push((child, depth + 1));\n}}\n}}\ntotal += deepest;\n"),
            3 => format!("struct Frame<'a> {{ node: &'a Fork, depth: u32 }}\nlet mut stack: Vec<Frame> = Vec::new();\nif let Some(node) = self.root.as_deref() {{\nstack.push(Frame {{ node, depth: 0 }});\n}}\nwhile let Some(Frame {{ node, depth }}) = stack.pop() {{\ntotal += depth + {read};\nif let Some(left) = &node.left {{\nstack.push(Frame {{ node: left, depth: depth + 1 }});\n}}\nif let Some(right) = &node.right {{\nstack.push(Frame {{ node: right, depth: depth + 1 }});\n}}\n}}\n"),
            4 => {
                self.once("keys_of", "fn keys_of(link: &Option<Box<Fork>>, keys: &mut Vec<u8>) {\nif let Some(node) = link {\nSelf::keys_of(&node.left, keys);\nkeys.push(node.key);\nSelf::keys_of(&node.right, keys);\n}\n}\n".to_string());
                let test = self.one_of(["keys.windows(2).all(|pair| pair[0] <= pair[1])", "keys.iter().zip(keys.iter().skip(1)).all(|(a, b)| a <= b)", "keys.is_sorted()"]);
                format!("let mut keys = Vec::new();\nSelf::keys_of(&self.root, &mut keys);\nif !({test}) {{\nreturn false;\n}}\ntotal += keys.len() as u32;\n")
            }
            5 => "fn mirrored(one: &Option<Box<Fork>>, other: &Option<Box<Fork>>) -> bool {\nmatch (one, other) {\n(None, None) => true,\n(Some(a), Some(b)) => a.key == b.key && mirrored(&a.left, &b.right) && mirrored(&a.right, &b.left),\n_ => false,\n}\n}\nif let Some(root) = &self.root {\ntotal += u32::from(mirrored(&root.left, &root.right));\n}\n".to_string(),
            6 => "let mut queue = VecDeque::from_iter(self.root.as_deref());\nlet mut last = None;\nwhile let Some(node) = queue.pop_front() {\nif last.is_some_and(|key| key > node.key) {\nreturn false;\n}\nlast = Some(node.key);\nqueue.extend(node.left.as_deref());\nqueue.extend(node.right.as_deref());\n}\n".to_string(),
            7 => format!("let mut counts: HashMap<u8, u32> = HashMap::new();\nlet mut rest = self.root.as_ref();\nwhile let Some(node) = rest {{\n*counts.entry(node.key).or_default() += 1 + {};\nrest = if node.key == 0 {{ node.left.as_ref() }} else {{ node.right.as_ref() }};\n}}\ntotal += counts.values().copied().max().unwrap_or(0);\n", self.below(2)),
            _ => "if let Some(node) = &self.root {\nlet (left, right) = (&node.left, &node.right);\nif matches!((left, right), (None, Some(_)) | (Some(_), None)) {\nreturn false;\n}\nif let (Some(l), Some(r)) = (left, right) && l.key > r.key {\ntotal += 1;\n}\n}\n".to_string(),
        }
    }

    fn list_idiom(&mut self) -> String {
        let read = self.of("node", Ty::Class("Node"));
        match self.below(8) {
            0 => format!("let mut last: Option<&u8> = None;\nlet mut rest = &self.head;\nwhile let Some(node) = rest {{\nif last.is_some_and(|last| *last > node.key) {{\nreturn false;\n}}\nlast = Some(&node.key);\ntotal += {};\nrest = &node.next;\n}}\n", self.below(3)),
            1 => format!("let keys: Vec<u8> = std::iter::successors(self.head.as_deref(), |node| node.next.as_deref()).map(|node| node.key).collect();\nif keys.iter().filter(|&&key| key == {}).count() > 1 {{\nreturn false;\n}}\ntotal += keys.iter().rev().skip(1).map(|&key| u32::from(key)).sum::<u32>();\n", self.below(3)),
            2 => format!("let mut rest = self.head.as_deref();\nwhile let Some(&Node {{ key, ref next }}) = rest {{\nif key == {} && next.is_some() {{\nbreak;\n}}\ntotal += u32::from(key);\nrest = next.as_deref();\n}}\n", self.below(3)),
            3 => format!("let mut nodes = vec![];\nlet mut cursor = self.head.as_ref();\nwhile let Some(node) = cursor.take() {{\nnodes.push(&**node);\ncursor = node.next.as_ref();\n}}\nfor (at, node) in nodes.iter().enumerate() {{\nif at % 2 == {} {{\ntotal += {read};\n}}\n}}\nlet (even, odd): (Vec<&Node>, Vec<&Node>) = nodes.iter().partition(|node| node.key % 2 == 0);\nif even.len() < odd.len() {{\nreturn false;\n}}\n", self.below(2)),
            4 => {
                self.once("checked", "fn checked(node: &Node, most: u8) -> Result<u32, u8> {\nif node.key > most {\nreturn Err(node.key);\n}\nlet rest = match &node.next {\nSome(next) => Self::checked(next, most)?,\nNone => 0,\n};\nOk(rest + 1)\n}\n".to_string());
                format!("if let Some(head) = &self.head {{\nmatch Self::checked(head, {}) {{\nOk(n @ 1..=2) => total += n,\nOk(n) => total += n * 2,\nErr(key) if key > 1 => return false,\nErr(_) => {{}}\n}}\n}}\n", self.below(3))
            }
            5 => "let mut seen = BTreeSet::new();\nlet mut at = &self.head;\nlet unique = loop {\nlet Some(node) = at else { break true };\nif !seen.insert(node.key) {\nbreak false;\n}\nat = &node.next;\n};\nif !unique {\nreturn false;\n}\n".to_string(),
            6 => "let mut rest = self.head.as_deref();\nlet keys = std::iter::from_fn(|| {\nlet node = rest?;\nrest = node.next.as_deref();\nSome(node.key)\n});\ntotal += keys.map(u32::from).fold(0, |sum, key| sum * 2 + key) % 5;\n".to_string(),
            _ => format!("let second = self.head.as_ref().and_then(|head| head.next.as_ref()).map(|node| &node.key);\nif let Some(key @ &{}) = second {{\ntotal += u32::from(*key) + 1;\n}}\n", self.below(3)),
        }
    }

    fn program_idiom(&mut self) -> String {
        let (lit, neg) = (self.below(3), self.below(3));
        match self.below(5) {
            0 => {
                self.once("eval", format!("fn eval(expr: &Expr) -> i32 {{\nmatch expr {{\nExpr::Lit(n) => i32::from(*n),\nExpr::Neg(inner) => -Self::eval(inner),\nExpr::Add(l, r) => Self::eval(l) + Self::eval(r),\nExpr::If {{ test: true, then, .. }} => Self::eval(then),\nExpr::If {{ test: false, then: _, other }} => other.as_ref().map_or({neg}, |other| Self::eval(other)),\n}}\n}}\n"));
                "if Self::eval(&self.body) < 0 {\nreturn false;\n}\ntotal += Self::eval(self.body.as_ref()).unsigned_abs();\n".to_string()
            }
            1 => format!("fn size(expr: &Expr) -> u32 {{\n1 + match expr {{\nExpr::Lit(_) => {lit},\nExpr::Neg(inner) if matches!(**inner, Expr::Neg(_)) => 0,\nExpr::Neg(inner) => size(inner),\nExpr::Add(l, r) => size(l).max(size(r)),\nExpr::If {{ then, other: None, .. }} => size(then),\nExpr::If {{ then, other: Some(other), .. }} => size(then) + size(other),\n}}\n}}\ntotal += size(&self.body);\n"),
            2 => format!("let mut stack: Vec<&Expr> = vec![&self.body];\nwhile let Some(expr) = stack.pop() {{\nmatch expr {{\nExpr::Lit(n @ 1..) if u32::from(*n) > {lit} => total += 1,\nExpr::Lit(0 | 1) | Expr::Lit(_) => {{}}\nExpr::Neg(inner) => stack.push(inner),\nExpr::Add(left, right) => stack.extend([&**left, &**right]),\nExpr::If {{ then, other, .. }} => {{\nstack.push(then);\nstack.extend(other.iter().map(|other| &**other));\n}}\n}}\n}}\n"),
            3 => "let depth = {\nlet mut expr = &self.body;\nlet mut depth = 0;\nwhile let Expr::Neg(inner) | Expr::Add(inner, _) | Expr::If { then: inner, .. } = &**expr {\nexpr = inner;\ndepth += 1;\n}\ndepth\n};\ntotal += depth;\n".to_string(),
            _ => "match &*self.body {\nExpr::Add(l, r) => match (&**l, r.as_ref()) {\n(Expr::Lit(a), Expr::Lit(b)) if a > b => return false,\n(Expr::Lit(n), other) | (other, Expr::Lit(n)) => total += u32::from(*n) + u32::from(matches!(other, Expr::Neg(_))),\n_ => total += 1,\n},\nwhole @ Expr::Neg(_) => total += u32::from(matches!(whole, Expr::Neg(inner) if matches!(**inner, Expr::Lit(1)))),\n_ => {}\n}\n".to_string(),
        }
    }

    fn arena_idiom(&mut self) -> String {
        let read = self.of("item", Ty::Class("Item"));
        match self.below(6) {
            0 => format!("for (i, item) in self.items.iter().enumerate() {{\nif let Some(up) = item.up {{\nif up >= self.items.len() || up == i {{\nreturn false;\n}}\ntotal += {read};\n}}\n}}\n"),
            1 => "let mut incoming = vec![0u32; self.items.len()];\nfor item in &self.items {\nif let Some(count) = item.up.and_then(|up| incoming.get_mut(up)) {\n*count += 1;\n}\n}\nif incoming.iter().any(|&count| count > 1) {\nreturn false;\n}\n".to_string(),
            2 => "let heaviest = self.items.iter().map(|item| item.weight).max();\nlet by_first = self.first.and_then(|first| self.items.get(first)).map(|item| item.weight);\nif by_first.is_some() && by_first != heaviest {\nreturn false;\n}\n".to_string(),
            3 => "let tags: BTreeSet<char> = self.items.iter().filter_map(|item| item.tag).collect();\nlet tagged = self.items.iter().filter(|item| item.tag.is_some()).count();\nif tags.len() != tagged {\nreturn false;\n}\n".to_string(),
            4 => "let weight_of = |at: usize| self.items.get(at).map(|item| u32::from(item.weight));\ntotal += (0..self.items.len()).filter_map(weight_of).sum::<u32>();\nif let Some(weight) = self.first.and_then(weight_of) {\ntotal += weight;\n}\n".to_string(),
            _ => "let by_tag = self.items.iter().map(|item| (item.tag, item.weight)).fold(BTreeMap::new(), |mut map, (tag, weight)| {\n*map.entry(tag).or_insert(0u32) += u32::from(weight);\nmap\n});\ntotal += by_tag.into_iter().map(|(tag, sum)| tag.map_or(0, |_| sum)).max().unwrap_or(0);\n".to_string(),
        }
    }

    fn book_idiom(&mut self) -> String {
        match self.below(6) {
            0 => "for entry in &self.entries {\nmatch (&entry.state, entry.name.as_deref()) {\n(State::Idle, None) => total += 1,\n(State::Running { since: true, .. }, Some(\"a\")) => return false,\n(State::Running { color, .. }, Some(name)) if !name.is_empty() => total += u32::from(*color == Color::Red),\n(State::Done(n, ok), _) if *ok => total += u32::from(*n),\n_ => total += 2,\n}\n}\n".to_string(),
            1 => "let log = self.log.borrow();\nif log.first() == log.last() {\ntotal += log.len() as u32;\n}\nlet [first, .., last] = &log[..] else {\nreturn self.current.get();\n};\nif **&first > *last {\nreturn false;\n}\n".to_string(),
            2 => "let names: Vec<&str> = self.entries.iter().filter_map(|entry| entry.name.as_deref()).collect();\ntotal += names.iter().map(|name| name.len() as u32).sum::<u32>();\nif names.iter().any(|&name| name == \"b\") != self.grid[0] {\nreturn false;\n}\n".to_string(),
            3 => "let is_done = |entry: &Entry| matches!(entry.state, State::Done(_, true));\nif self.entries.iter().any(is_done) && !self.current.get() {\nreturn false;\n}\n".to_string(),
            4 => "let [left, right] = self.grid;\nlet flags = [left, right, self.current.get()];\ntotal += flags.iter().filter(|&&flag| flag).count() as u32;\nlet [.., last] = flags;\nif last && !flags.contains(&false) {\nreturn false;\n}\n".to_string(),
            _ => "if let [Entry { id, state: State::Running { since, color: color @ Color::Red }, name: Some(name) }] = self.entries.as_slice() {\ntotal += u32::from(*id) + u32::from(*since) + name.len() as u32 + *color as u32;\n} else if let Some(Entry { state: State::Done(n @ 1, _), .. }) = self.entries.first() {\ntotal += u32::from(*n);\n}\n".to_string(),
        }
    }

    fn table_idiom(&mut self) -> String {
        match self.below(6) {
            0 => "for (key, value) in &self.cells {\nif *value && self.marks.contains(value) && *key > 0 {\nreturn false;\n}\ntotal += u32::from(*key);\n}\n".to_string(),
            1 => "let (flag, color) = self.pair;\nmatch (flag, color, self.limit) {\n(true, Color::Red, Some(n @ 0..=1)) => total += u32::from(n),\n(false, _, Some(n)) if n > 1 => return false,\n(_, Color::Black, None) => total += 1,\n_ => {}\n}\n".to_string(),
            2 => "if self.cells.get(&0).copied().unwrap_or(false) != self.title.contains('a') {\nreturn false;\n}\n".to_string(),
            3 => "let largest = self.cells.keys().next_back().copied();\nif let (Some(largest), Some(limit)) = (largest, self.limit) && largest > limit {\nreturn false;\n}\n".to_string(),
            4 => "total += self.sizes.iter().filter(|(_, color)| **color == Color::Red).map(|(key, _)| u32::from(*key) + 1).sum::<u32>();\nif self.cells.values().filter(|&&flag| flag).count() > self.marks.len() {\nreturn false;\n}\n".to_string(),
            _ => "let limit = self.limit.as_ref().copied().unwrap_or_default();\nlet word = self.title.chars().rev().collect::<String>();\nif word == \"b\" || self.cells.range(..=limit).any(|(_, &flag)| flag) {\ntotal += 1;\n}\n".to_string(),
        }
    }

    fn graph_idiom(&mut self) -> String {
        let is_graph = self.root == "Graph";
        match (is_graph, self.below(3)) {
            (true, 0) => "let mut at = self.start.as_ref().map(Rc::clone);\nlet mut steps = 0;\nwhile let Some(vertex) = at.take() {\nsteps += 1;\nif steps > 3 {\nreturn false;\n}\nlet vertex = vertex.borrow();\ntotal += u32::from(vertex.label);\nif let Some(next) = &vertex.next && !next.borrow().back.as_ref().is_some_and(|back| back.upgrade().is_some()) {\nreturn false;\n}\nat = vertex.next.clone();\n}\n".to_string(),
            (true, 1) => "if let Some(start) = &self.start {\nlet borrowed = start.borrow();\nif let Some(back) = borrowed.back.as_ref().and_then(Weak::upgrade) {\nif !Rc::ptr_eq(&back, start) {\nreturn false;\n}\ntotal += 1;\n}\n}\n".to_string(),
            (true, _) => "fn length(vertex: &Rc<RefCell<Vertex>>, seen: &mut Vec<*const RefCell<Vertex>>) -> u32 {\nif seen.contains(&Rc::as_ptr(vertex)) {\nreturn 0;\n}\nseen.push(Rc::as_ptr(vertex));\n1 + vertex.borrow().next.as_ref().map_or(0, |next| length(next, seen))\n}\nlet mut seen = Vec::new();\ntotal += self.start.as_ref().map_or(0, |start| length(start, &mut seen));\n".to_string(),
            (false, 0) => "if let Some(eldest) = &self.eldest {\nif eldest.parent.borrow().upgrade().is_some() {\nreturn false;\n}\nfor child in eldest.children.borrow().iter() {\nlet parent = child.parent.borrow().upgrade();\nif !parent.is_some_and(|parent| Rc::ptr_eq(&parent, eldest)) {\nreturn false;\n}\ntotal += u32::from(child.age.get());\n}\n}\n".to_string(),
            (false, 1) => {
                self.once("count", "fn count(person: &Rc<Person>, seen: &mut HashSet<*const Person>) -> usize {\nif !seen.insert(Rc::as_ptr(person)) {\nreturn 0;\n}\nlet children = person.children.borrow();\n1 + children.iter().map(|child| Self::count(child, seen)).sum::<usize>()\n}\n".to_string());
                "let mut seen = HashSet::new();\nlet count = self.eldest.as_ref().map_or(0, |eldest| Self::count(eldest, &mut seen));\nif count != self.members {\nreturn false;\n}\n".to_string()
            }
            (false, _) => "let ages: Vec<u8> = self.eldest.iter().flat_map(|eldest| eldest.children.borrow().iter().map(|child| child.age.get()).collect::<Vec<_>>()).collect();\nif ages.iter().any(|age| *age > self.eldest.as_ref().unwrap().age.get()) {\nreturn false;\n}\n".to_string(),
        }
    }
}
