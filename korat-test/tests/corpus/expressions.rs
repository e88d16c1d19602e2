//! Expressions, an enum of boxes, taken apart in every way that Rust has for it.

use std::collections::{BTreeMap, HashSet};

use korat::{Finitize, rep_ok};

/// An expression.
#[derive(Clone, Debug, PartialEq, Finitize)]
pub enum Expr {
    Int(#[finitize(0..=1)] u8),
    Var(#[finitize('x'..='y')] char),
    Neg(Box<Expr>),
    Add(Box<Expr>, Box<Expr>),
    Mul(Box<Expr>, Box<Expr>),
}

/// Structures of one expression, one type for each invariant.
macro_rules! expressions {
    ($($Type:ident)*) => {$(
        #[derive(Clone, Debug, Finitize)]
        pub struct $Type {
            expr: Expr,
        }
    )*};
}

expressions! { Simplified Closed Leaning Signed Polynomial Typed Linear Evaluated Named Renamed Stacked Folded Mirrored Guarded }

#[rep_ok]
impl Simplified {
    /// No sum with zero, no product with zero or one, no double negation.
    fn rep_ok(&self) -> bool {
        Self::simple(&self.expr)
    }

    fn simple(expr: &Expr) -> bool {
        match expr {
            Expr::Int(_) | Expr::Var(_) => true,
            Expr::Neg(inner) => !matches!(**inner, Expr::Neg(_) | Expr::Int(0)) && Self::simple(inner),
            Expr::Add(l, r) => {
                if let Expr::Int(0) = **l {
                    return false;
                }
                if let Expr::Int(0) = **r {
                    return false;
                }
                Self::simple(l) && Self::simple(r)
            }
            Expr::Mul(l, r) => {
                for side in [l, r] {
                    match side.as_ref() {
                        Expr::Int(0 | 1) => return false,
                        other if !Self::simple(other) => return false,
                        _ => {}
                    }
                }
                true
            }
        }
    }
}

#[rep_ok]
impl Closed {
    /// No variables, by a work list; and something is added.
    fn rep_ok(&self) -> bool {
        let mut work = vec![&self.expr];
        let mut sums = 0;
        while let Some(expr) = work.pop() {
            match expr {
                Expr::Var(_) => return false,
                Expr::Int(_) => {}
                Expr::Neg(e) => work.push(e),
                Expr::Add(l, r) | Expr::Mul(l, r) => {
                    if matches!(expr, Expr::Add(..)) {
                        sums += 1;
                    }
                    work.extend([&**l, &**r]);
                }
            }
        }
        sums > 0
    }
}

#[rep_ok]
impl Leaning {
    /// Operators lean to the left.
    fn rep_ok(&self) -> bool {
        let mut at = &self.expr;
        while let Expr::Add(l, r) | Expr::Mul(l, r) = at {
            let (Expr::Int(_) | Expr::Var(_)) = **r else { return false };
            at = l;
        }
        !matches!(at, Expr::Neg(_))
    }
}

#[rep_ok]
impl Signed {
    /// What is negated is a number, and no one else.
    fn rep_ok(&self) -> bool {
        fn check(e: &Expr) -> bool {
            if let Expr::Neg(e) = e {
                let Expr::Int(n) = &**e else { return false };
                return *n > 0;
            }
            match e {
                Expr::Add(a, b) | Expr::Mul(a, b) => check(a) && check(b),
                _ => true,
            }
        }
        check(&self.expr)
    }
}

#[rep_ok]
impl Polynomial {
    /// A sum of products: no sum below a product, nothing negated.
    fn rep_ok(&self) -> bool {
        Self::sum(&self.expr)
    }

    fn sum(e: &Expr) -> bool {
        match e {
            Expr::Add(l, r) => Self::sum(l) && Self::sum(r),
            product => Self::product(product),
        }
    }

    fn product(e: &Expr) -> bool {
        match e {
            Expr::Mul(l, r) => Self::product(l) && Self::product(r),
            Expr::Int(_) | Expr::Var(_) => true,
            Expr::Add(..) | Expr::Neg(..) => false,
        }
    }
}

#[rep_ok]
impl Typed {
    /// `x` is a number, `y` a truth value; sums are of numbers, products of truth values.
    fn rep_ok(&self) -> bool {
        Self::kind(&self.expr).is_ok()
    }

    fn kind(e: &Expr) -> Result<bool, &'static str> {
        Ok(match e {
            Expr::Int(_) | Expr::Var('x') => false,
            Expr::Var(_) => true,
            Expr::Neg(e) => Self::kind(e)?,
            Expr::Add(l, r) => match (Self::kind(l)?, Self::kind(r)?) {
                (false, false) => false,
                _ => return Err("sum of truth values"),
            },
            Expr::Mul(l, r) => {
                if !(Self::kind(l)? && Self::kind(r)?) {
                    return Err("product of numbers");
                }
                true
            }
        })
    }
}

#[rep_ok]
impl Linear {
    /// Each variable occurs at most once.
    fn rep_ok(&self) -> bool {
        let mut seen = HashSet::new();
        Self::collect(&self.expr, &mut seen) && !seen.is_empty()
    }

    fn collect(e: &Expr, seen: &mut HashSet<char>) -> bool {
        match e {
            Expr::Var(v) => seen.insert(*v),
            Expr::Int(_) => true,
            Expr::Neg(e) => Self::collect(e, seen),
            Expr::Add(l, r) | Expr::Mul(l, r) => Self::collect(l, seen) && Self::collect(r, seen),
        }
    }
}

#[rep_ok]
impl Evaluated {
    /// The value is two, with `x` for one and no `y`.
    fn rep_ok(&self) -> bool {
        let env: BTreeMap<char, i32> = [('x', 1)].into_iter().collect();
        Self::eval(&self.expr, &env) == Some(2)
    }

    fn eval(e: &Expr, env: &BTreeMap<char, i32>) -> Option<i32> {
        match e {
            &Expr::Int(n) => Some(i32::from(n)),
            Expr::Var(name) => env.get(name).copied(),
            Expr::Neg(inner) => Self::eval(inner, env).map(|n| -n),
            Expr::Add(l, r) => Some(Self::eval(l, env)? + Self::eval(r, env)?),
            Expr::Mul(l, r) => Self::eval(l, env).zip(Self::eval(r, env)).map(|(l, r)| l * r),
        }
    }
}

#[rep_ok]
impl Named {
    /// The left of a sum is a variable, the right of a product is not.
    fn rep_ok(&self) -> bool {
        Self::all(&self.expr)
    }

    fn all(e: &Expr) -> bool {
        match e {
            Expr::Add(l, r) => match &**l {
                x @ Expr::Var(_) => matches!(x, Expr::Var('x')) && Self::all(r),
                _ => false,
            },
            Expr::Mul(l, r) => match (&**l, &**r) {
                (_, Expr::Var(_)) => false,
                (Expr::Int(n), Expr::Int(m)) if n == m => false,
                (l, r) => Self::all(l) && Self::all(r),
            },
            Expr::Neg(e) => Self::all(e),
            Expr::Int(_) | Expr::Var(_) => true,
        }
    }
}

#[rep_ok]
impl Renamed {
    /// `y` comes only after `x`.
    fn rep_ok(&self) -> bool {
        let mut names = Vec::new();
        fn walk(e: &Expr, names: &mut Vec<char>) {
            match *e {
                Expr::Var(name) => names.push(name),
                Expr::Int(_) => {}
                Expr::Neg(ref e) => walk(e, names),
                Expr::Add(ref l, ref r) | Expr::Mul(ref l, ref r) => {
                    walk(l, names);
                    walk(r, names);
                }
            }
        }
        walk(&self.expr, &mut names);
        names.first().is_none_or(|first| *first == 'x') && names.windows(2).all(|pair| pair[0] != pair[1])
    }
}

#[rep_ok]
impl Stacked {
    /// Evaluation needs at most two places, and at least that.
    fn rep_ok(&self) -> bool {
        self.depth() == 2
    }

    fn depth(&self) -> usize {
        Self::need(&self.expr)
    }

    fn need(e: &Expr) -> usize {
        match e {
            Expr::Int(..) | Expr::Var(..) => 1,
            Expr::Neg(e) => Self::need(e),
            Expr::Add(l, r) | Expr::Mul(l, r) => {
                let (l, r) = (Self::need(l), Self::need(r));
                if l == r { l + 1 } else { l.max(r) }
            }
        }
    }
}

#[rep_ok]
impl Folded {
    /// No constant parts that could be computed.
    fn rep_ok(&self) -> bool {
        !Self::is_constant(&self.expr) || matches!(self.expr, Expr::Int(_))
    }

    fn is_constant(e: &Expr) -> bool {
        let children: Vec<&Expr> = match e {
            Expr::Int(_) => return true,
            Expr::Var(_) => return false,
            Expr::Neg(e) => vec![e],
            Expr::Add(l, r) | Expr::Mul(l, r) => vec![l, r],
        };
        children.into_iter().all(Self::is_constant)
    }
}

#[rep_ok]
impl Mirrored {
    /// Both sides of every operator have the same shape.
    fn rep_ok(&self) -> bool {
        match &self.expr {
            Expr::Add(l, r) | Expr::Mul(l, r) => Self::same(l, r),
            Expr::Neg(e) => matches!(e.as_ref(), Expr::Add(l, r) if Self::same(l, r)),
            Expr::Int(_) | Expr::Var(_) => false,
        }
    }

    fn same(a: &Expr, b: &Expr) -> bool {
        match (a, b) {
            (Expr::Int(a), Expr::Int(b)) => a == b,
            (Expr::Var(a), Expr::Var(b)) => a != b,
            (Expr::Neg(a), Expr::Neg(b)) => Self::same(a, b),
            (Expr::Add(a, b), Expr::Add(c, d)) | (Expr::Mul(a, b), Expr::Mul(c, d)) => {
                Self::same(a, c) && Self::same(b, d)
            }
            _ => false,
        }
    }
}

#[rep_ok]
impl Guarded {
    fn rep_ok(&self) -> bool {
        match &self.expr {
            Expr::Add(l, r) if matches!((&**l, &**r), (Expr::Int(a), Expr::Int(b)) if a < b) => true,
            Expr::Mul(l, _) | Expr::Add(_, l) if matches!(**l, Expr::Var('y')) => true,
            Expr::Neg(e) => {
                if let Expr::Int(n) = &**e
                    && *n == 1
                {
                    true
                } else {
                    matches!(&**e, Expr::Neg(inner) if matches!(**inner, Expr::Var(v) if v == 'x'))
                }
            }
            _ => false,
        }
    }
}
