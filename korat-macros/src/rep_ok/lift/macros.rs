//! Lifts the arguments of macro calls if they parse as expressions or statements. Other macro calls are kept.

use quote::quote;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Block, Expr, Macro, Pat, Result, Token, parse_quote};

use super::Lifter;
use crate::rep_ok::names::EXPRESSION_MACROS;
use crate::walk::visit_mut::VisitMut;

impl Lifter {
    /// Lifts a macro call in place, or returns the expression that replaces it.
    pub(super) fn visit_macro(&mut self, mac: &mut Macro) -> Option<Expr> {
        let name = mac.path.segments.last().map(|segment| segment.ident.to_string())?;
        match name.as_str() {
            "asm" | "global_asm" | "naked_asm" => {
                self.refuse(&mac.path, "inline assembly cannot be lifted; write the invariant in Rust");
            }
            "matches" => return self.visit_matches(mac),
            "vec" => self.visit_vec(mac),
            _ => {
                let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
                if let Ok(mut args) = parser.parse2(mac.tokens.clone()) {
                    args.iter_mut().for_each(|arg| self.visit_expr_mut(arg));
                    mac.tokens = quote!(#args);
                } else if EXPRESSION_MACROS.contains(&name.as_str()) {
                    self.refuse(&mac.path, "the arguments of this macro are not expressions; korat cannot lift them");
                } else if let Ok(stmts) = Block::parse_within.parse2(mac.tokens.clone()) {
                    let mut block = Block { brace_token: Default::default(), stmts };
                    self.visit_block_mut(&mut block);
                    let stmts = &block.stmts;
                    mac.tokens = quote!(#(#stmts)*);
                }
            }
        }
        None
    }

    /// Lifts `matches!(expr, pat if guard)` as a `match`, so that the pattern can destructure a class.
    fn visit_matches(&mut self, mac: &mut Macro) -> Option<Expr> {
        type Parts = (Expr, Pat, Option<Expr>);
        fn parts(input: ParseStream<'_>) -> Result<Parts> {
            let expr = input.parse()?;
            input.parse::<Token![,]>()?;
            let pat = Pat::parse_multi_with_leading_vert(input)?;
            let guard = if input.peek(Token![if]) {
                input.parse::<Token![if]>()?;
                Some(input.parse()?)
            } else {
                None
            };
            input.parse::<Option<Token![,]>>()?;
            Ok((expr, pat, guard))
        }
        let (expr, pat, guard) = parts.parse2(mac.tokens.clone()).ok()?;
        let guard = guard.map(|guard| quote!(if #guard));
        let mut lifted: Expr = parse_quote!(match #expr { #pat #guard => true, _ => false });
        self.visit_expr_mut(&mut lifted);
        Some(lifted)
    }

    /// Makes `vec![a, b]` and `vec![a; n]` create the twin of a vector.
    fn visit_vec(&mut self, mac: &mut Macro) {
        fn repeat(input: ParseStream<'_>) -> Result<(Expr, Expr)> {
            let value = input.parse()?;
            input.parse::<Token![;]>()?;
            Ok((value, input.parse()?))
        }
        let list = Punctuated::<Expr, Token![,]>::parse_terminated;
        if let Ok((mut value, mut len)) = repeat.parse2(mac.tokens.clone()) {
            self.visit_expr_mut(&mut value);
            self.visit_expr_mut(&mut len);
            mac.tokens = quote!(#value; #len);
        } else if let Ok(mut values) = list.parse2(mac.tokens.clone()) {
            values.iter_mut().for_each(|value| self.visit_expr_mut(value));
            mac.tokens = quote!(#values);
        } else {
            self.refuse(&mac.path, "the arguments of this macro are not expressions; korat cannot lift them");
        }
        let private = &self.private;
        mac.path = parse_quote!(#private::vec);
    }
}
