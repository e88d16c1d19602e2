//! Calls that read a field of a variant beside their parts.

use korat::{Finitize, Search, Summaries, rep_ok};

#[derive(Clone, Debug, Finitize)]
enum Expr {
    Lit(#[finitize(0..=1)] u8),
    Neg(Box<Expr>),
    If { flag: bool, then: Box<Expr> },
}

#[derive(Clone, Debug, Finitize)]
struct Program {
    body: Box<Expr>,
}

#[rep_ok]
impl Program {
    fn rep_ok(&self) -> bool {
        Self::weight(&self.body) == 1
    }

    fn weight(expr: &Expr) -> u8 {
        match expr {
            Expr::Lit(value) => *value,
            Expr::Neg(inner) => 1 - Self::weight(inner).min(1),
            Expr::If { flag, then } => {
                let seen = *flag;
                if Self::under(then, expr) && seen { 1 } else { Self::weight(then) }
            }
        }
    }

    fn under(expr: &Expr, above: &Expr) -> bool {
        match expr {
            Expr::Lit(value) => matches!(above, Expr::If { flag: true, .. }) && *value == 0,
            Expr::Neg(inner) => Self::under(inner, above),
            Expr::If { .. } => false,
        }
    }
}

fn values(summaries: Summaries) -> Vec<String> {
    let mut all = Vec::new();
    Search::new(Program::scope(5)).summaries(summaries).for_each(|program| all.push(format!("{program:?}")));
    all.sort();
    all
}

#[test]
fn the_variant_is_known_where_its_field_is_read() {
    let found = values(Summaries::Always);
    assert!(found.len() > 20);
    assert_eq!(found, values(Summaries::Never));
}
