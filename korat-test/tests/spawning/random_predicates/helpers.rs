//! Helper methods of the predicate's block: their signatures, their bodies, calls of them.

use super::env::{Access, Env, Ty, VarId};
use super::extras::ITEMS;
use super::writer::{Frame, Ret, Writer};

/// A parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    pub ty: Ty,
    pub how: How,
}

/// How a parameter is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    Value,
    Shared,
    Mut,
}

/// A method of the block.
#[derive(Clone, Debug)]
pub struct Helper {
    pub name: String,
    pub takes_self: bool,
    pub params: Vec<Param>,
    pub ret: Ret,
    /// Whether it, or the one that it calls, calls itself: then the last parameter is a depth.
    pub recursive: bool,
}

/// The name of the parameter that bounds recursion.
const DEPTH: &str = "depth";

impl Writer {
    /// The signatures of the predicate's helpers.
    pub fn sign_helpers(&mut self) {
        for number in 0..self.one_of([1, 1, 2, 2, 3]) {
            let ret = self.one_of([
                Ret::Bool,
                Ret::Num,
                Ret::MaybeNum,
                Ret::MaybeNum,
                Ret::Checked,
                Ret::Checked,
                Ret::MaybeNode,
                Ret::Nums,
                Ret::Unit,
            ]);
            let mut params = Vec::new();
            for _ in 0..1 + self.below(3) {
                let choices = [
                    Param { ty: Ty::Num, how: How::Value },
                    Param { ty: Ty::MaybeNode, how: How::Value },
                    Param { ty: Ty::MaybeNode, how: How::Value },
                    Param { ty: Ty::Node, how: How::Value },
                    Param { ty: Ty::Node, how: How::Shared },
                    Param { ty: Ty::Nums, how: How::Value },
                    Param { ty: Ty::Num, how: How::Mut },
                    Param { ty: Ty::Num, how: How::Mut },
                    Param { ty: Ty::Nums, how: How::Mut },
                    Param { ty: Ty::Nums, how: How::Shared },
                    Param { ty: Ty::Seen, how: How::Mut },
                    Param { ty: Ty::Nodes, how: How::Mut },
                    Param { ty: Ty::SortedMap, how: How::Mut },
                ];
                params.push(self.one_of(choices));
            }
            if ret == Ret::Unit {
                params.push(Param { ty: Ty::Num, how: How::Mut });
            }
            let (takes_self, recursive) = (self.chance(35), self.chance(60));
            self.helpers.push(Helper { name: format!("helper_{number}"), takes_self, params, ret, recursive });
        }
        // Two that call each other.
        if self.chance(30) {
            let mut partner = self.helpers[0].clone();
            self.helpers[0].recursive = true;
            (partner.name, partner.recursive) = ("partner".to_string(), true);
            self.helpers.insert(1, partner);
        }
    }

    /// A helper, written out.
    pub fn helper(&mut self, number: usize) -> String {
        let Helper { name, takes_self, params, ret, recursive } = self.helpers[number].clone();
        (self.env, self.frame) = (Env::default(), Frame::of(ret, takes_self));
        self.budget = 1 + self.below(4) as i32;
        let partner = self.helpers.iter().position(|helper| helper.name == "partner");
        let own = match (number, partner) {
            (0, Some(partner)) => partner,
            (_, Some(partner)) if partner == number => 0,
            _ => number,
        };
        self.frame.callees = (number + 1..self.helpers.len()).filter(|other| Some(*other) != partner).collect();
        if recursive {
            self.frame.depth = Some(DEPTH);
            self.frame.calls_left = 1;
        }
        let mut text = Vec::new();
        if takes_self {
            text.push("&'a self".to_string());
        }
        for (at, param) in params.iter().enumerate() {
            let (name, ty) = (format!("p{at}"), self.type_text(param.ty, "'a"));
            let id = self.env.declare(&name, param.ty, param.how != How::Shared);
            self.env.get_mut(id).by_ref = param.how != How::Value;
            text.push(match param.how {
                How::Value => format!("mut {name}: {ty}"),
                How::Shared => format!("{name}: &{ty}"),
                How::Mut => format!("{name}: &mut {ty}"),
            });
        }
        let mut begin = String::new();
        if recursive {
            text.push(format!("{DEPTH}: usize"));
            let id = self.env.declare(DEPTH, Ty::Num, false);
            self.env.get_mut(id).pinned = true;
            // The end of the recursion calls nobody.
            let calls_left = std::mem::take(&mut self.frame.calls_left);
            begin = format!("if {DEPTH} == 0 {{\nreturn {};\n}}\n", self.result(ret, 0));
            self.frame.calls_left = calls_left;
        }
        let mut body = self.statements(3);
        if recursive {
            for _ in 0..1 + self.below(2) {
                body += &self.let_call(own).unwrap_or_default();
                body += &self.statements(1);
            }
        }
        body += &self.result(ret, 2);
        let returned = match ret {
            Ret::Bool => " -> bool".to_string(),
            Ret::Num => " -> usize".to_string(),
            Ret::MaybeNum => " -> Option<usize>".to_string(),
            Ret::Checked => " -> Result<usize, usize>".to_string(),
            Ret::MaybeNode => format!(" -> {}", self.type_text(Ty::MaybeNode, "'a")),
            Ret::Nums => " -> Vec<usize>".to_string(),
            Ret::Unit => String::new(),
        };
        let body = with_items(&format!("{begin}{body}"));
        format!("fn {name}<'a>({}){returned} {{\n{body}\n}}\n", text.join(", "))
    }

    /// A call of a helper, if its arguments can be had here.
    fn call(&mut self, number: usize) -> Option<String> {
        let helper = self.helpers[number].clone();
        if helper.takes_self && !self.frame.has_self {
            return None;
        }
        let mut lent = Vec::new();
        let arguments = self.arguments(&helper, &mut lent);
        for (id, exclusive) in lent {
            self.env.give_back(id, exclusive);
        }
        let path = if helper.takes_self { "self." } else { "Self::" };
        Some(format!("{path}{}({})", helper.name, arguments?.join(", ")))
    }

    fn arguments(&mut self, helper: &Helper, lent: &mut Vec<(VarId, bool)>) -> Option<Vec<String>> {
        let mut arguments = vec![String::new(); helper.params.len()];
        // What is lent to the call is chosen first; the other arguments leave it alone.
        for (argument, param) in arguments.iter_mut().zip(&helper.params) {
            let access = match param.how {
                How::Mut => Access::Write,
                How::Shared => Access::Read,
                How::Value => continue,
            };
            match self.var(access, &[param.ty]) {
                Some(id) => {
                    self.env.lend(id, param.how == How::Mut);
                    lent.push((id, param.how == How::Mut));
                    let by_ref = self.env.get(id).by_ref;
                    *argument = match (param.how, by_ref) {
                        (How::Mut, true) if self.chance(50) => self.name_of(id),
                        (How::Mut, _) => self.mutably(id),
                        (_, true) => format!("&*{}", self.name_of(id)),
                        (_, false) => format!("&{}", self.name_of(id)),
                    };
                }
                None => {
                    let by = if param.how == How::Mut { "&mut " } else { "&" };
                    let new = match param.ty {
                        Ty::Num => "0",
                        Ty::Nums => "Vec::new()",
                        Ty::Nodes => "Vec::new()",
                        Ty::Seen => "HashSet::new()",
                        Ty::SortedMap => "BTreeMap::new()",
                        _ => return None,
                    };
                    *argument = format!("{by}{new}");
                }
            }
        }
        for (argument, param) in arguments.iter_mut().zip(&helper.params) {
            if param.how != How::Value {
                continue;
            }
            *argument = match param.ty {
                Ty::Num => self.purely(|w| w.num(1)),
                Ty::MaybeNode => self.purely(|w| w.maybe_node(1))?,
                Ty::Nums if self.chance(40) => {
                    let moved = if self.frame.in_closure { None } else { self.var(Access::Move, &[Ty::Nums]) };
                    moved.map_or("Vec::new()".to_string(), |id| self.name_of(id))
                }
                ty => {
                    let id = self.var(Access::Read, &[ty]);
                    match (id, ty) {
                        (Some(id), _) => self.value(id),
                        (None, Ty::Nums) => "vec![1, 2]".to_string(),
                        (None, _) => return None,
                    }
                }
            };
        }
        if helper.recursive {
            arguments.push(match self.frame.depth {
                Some(depth) => format!("{depth} - 1"),
                None => (2 + self.below(2)).to_string(),
            });
        }
        Some(arguments)
    }

    /// A call for its value, of a helper that may be called here.
    pub fn call_for(&mut self, ty: Ty) -> Option<String> {
        if self.frame.calls_left == 0 || self.frame.loops > 1 || self.pure > 0 {
            return None;
        }
        let gives = |ret: Ret| match ty {
            Ty::Num => matches!(ret, Ret::Num | Ret::Checked | Ret::Nums),
            Ty::Bool => matches!(ret, Ret::Bool | Ret::Checked),
            _ => matches!(ret, Ret::MaybeNum | Ret::Checked),
        };
        let fitting: Vec<usize> =
            self.frame.callees.iter().copied().filter(|number| gives(self.helpers[*number].ret)).collect();
        let number = self.pick(&fitting)?;
        let call = self.call(number)?;
        self.frame.calls_left -= 1;
        Some(match (ty, self.helpers[number].ret) {
            (Ty::Num, Ret::Checked) => format!("{call}.unwrap_or_else(|x| x + 1)"),
            (Ty::Num, Ret::Nums) => format!("{call}.len()"),
            (Ty::Bool, Ret::Checked) => format!("{call}.is_ok()"),
            (Ty::MaybeNum, Ret::Checked) => format!("{call}.ok()"),
            _ => call,
        })
    }

    /// A call of some helper, as a statement.
    pub fn call_statement(&mut self) -> Option<String> {
        if self.frame.calls_left == 0 || self.frame.loops > 1 || self.pure > 0 {
            return None;
        }
        let callees = self.frame.callees.clone();
        let number = self.pick(&callees)?;
        let text = self.let_call(number)?;
        self.frame.calls_left -= 1;
        Some(text)
    }

    /// `let` of what a helper gives.
    pub fn let_call(&mut self, number: usize) -> Option<String> {
        let call = self.call(number)?;
        let ret = self.helpers[number].ret;
        let (ty, how) = match (ret, self.frame.ret) {
            (Ret::Unit, _) => return Some(format!("{call};\n")),
            (Ret::Bool, _) => (Ty::Bool, ""),
            (Ret::Num, _) => (Ty::Num, ""),
            (Ret::Nums, _) => (Ty::Nums, ""),
            (Ret::MaybeNode, _) => (Ty::MaybeNode, ""),
            (Ret::MaybeNum, Some(Ret::MaybeNum | Ret::MaybeNode)) if self.chance(60) => (Ty::Num, "?"),
            (Ret::MaybeNum, _) => (Ty::MaybeNum, ""),
            (Ret::Checked, Some(Ret::Checked)) if self.chance(70) => (Ty::Num, "?"),
            (Ret::Checked, _) => (Ty::MaybeNum, ".ok()"),
        };
        let name = self.fresh("got");
        self.env.declare(&name, ty, true);
        Some(format!("let mut {name}: {} = {call}{how};\n", self.type_text(ty, "")))
    }
}

/// A body with the items of its own that it names.
pub fn with_items(body: &str) -> String {
    let named = ITEMS.iter().filter(|(name, _)| body.contains(name));
    named.map(|(_, item)| *item).chain([body]).collect()
}
