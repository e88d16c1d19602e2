//! Writes a loop as a function of its locals, and with a question at its head.

use proc_macro2::{TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::token::If;
use syn::{
    Block, Expr, ExprBlock, ExprClosure, ExprIf, ExprLoop, ExprMethodCall, ExprWhile, Ident, Local, Macro, Path, Stmt,
    Type, parse_quote,
};

use crate::walk::visit_mut::{self, VisitMut};

/// How a loop is rewritten.
pub(super) struct Plan {
    pub(super) k: Path,
    /// The name of the function around.
    pub(super) name: String,
    /// The locals that the loop uses, and whether each is declared as `mut`.
    pub(super) taken: Vec<(Ident, bool)>,
    /// The locals that it may change and that are used afterwards.
    pub(super) left: Vec<Ident>,
    /// What it returns, if it may return from the function.
    pub(super) returns: Option<Type>,
    /// Whether the function may go on after the loop.
    pub(super) ends: bool,
}

impl Plan {
    /// Returns the block that replaces a loop.
    pub(super) fn write(&self, repeat: &Expr) -> Expr {
        let Plan { k, name, taken, left, .. } = self;
        let mut copy = self.asking(repeat.clone(), true);
        Copying { k, in_closure: false }.visit_expr_mut(&mut copy);
        let pats = taken.iter().map(|(name, is_mut)| {
            let (mutable, name) = (is_mut.then(|| quote!(mut)), renamed(name));
            quote!(#mutable #name)
        });
        let returned = self.returns.as_ref().map_or_else(|| parse_quote!(()), Type::clone);
        let mut closure: ExprClosure = parse_quote! {
            |__korat_loop, (#(#pats,)*)| -> #k::calls::loops::Exit<_, #returned> {
                #k::calls::loops::Exit::Left((#(#left,)*))
            }
        };
        if let Expr::Block(ExprBlock { block, .. }) = &mut *closure.body {
            block.stmts.insert(0, Stmt::Expr(copy, Some(Default::default())));
        }
        let lent = self.lent(false);
        let mut bodied: ExprMethodCall = parse_quote!(#k::calls::loops::like(#lent).body());
        bodied.args.push(Expr::Closure(closure));
        let name = format!("loop in {name}");
        let line = u32::try_from(repeat.span().start().line).unwrap_or(0);
        let mut block: Block = parse_quote!({
            static __KORAT_LOOP: #k::calls::CallSite = #k::calls::CallSite { name: #name, line: #line };
            let __korat_loop = ();
            let __korat_loop = {
                use #k::calls::loops::{LoopOpaque as _, LoopPortable as _};
                (&__korat_loop).to_loop()
            };
        });
        if let Some(Stmt::Local(Local { init: Some(init), .. })) = block.stmts.get_mut(1) {
            *init.expr = Expr::MethodCall(bodied);
        }
        block.stmts.push(Stmt::Expr(self.asking(repeat.clone(), false), None));
        Expr::Block(ExprBlock { attrs: Vec::new(), label: None, block })
    }

    /// Returns references to the locals.
    fn lent(&self, is_copy: bool) -> TokenStream {
        let names = self.taken.iter().map(|(name, _)| if is_copy { renamed(name) } else { name.clone() });
        quote!((#(&#names,)*))
    }

    /// Returns the loop with the question at its head.
    fn asking(&self, repeat: Expr, is_copy: bool) -> Expr {
        let question = self.question(is_copy);
        match repeat {
            Expr::While(ExprWhile { attrs, label, while_token, cond, body }) => {
                let mut made: ExprLoop = parse_quote!(loop { #question });
                (made.attrs, made.label) = (attrs, label);
                let branch = ExprIf {
                    attrs: Vec::new(),
                    // The edition of the keyword determines whether `let` may be chained.
                    if_token: If { span: while_token.span },
                    cond,
                    then_branch: body,
                    else_branch: Some((
                        Default::default(),
                        Box::new(parse_quote!({
                            break;
                        })),
                    )),
                };
                made.body.stmts.push(Stmt::Expr(Expr::If(branch), Some(Default::default())));
                Expr::Loop(made)
            }
            Expr::Loop(mut repeat) => {
                repeat.body.stmts.insert(0, question);
                Expr::Loop(repeat)
            }
            other => other,
        }
    }

    fn question(&self, is_copy: bool) -> Stmt {
        let Plan { k, left, returns, ends, .. } = self;
        let lent = self.lent(is_copy);
        let answers: Vec<Ident> = (0..left.len()).map(|number| format_ident!("__korat_{number}")).collect();
        let unreachable = quote!(#k::std::unreachable!("[korat internal bug] a loop ends as it cannot"));
        let on_end = if *ends { quote!(#(#left = #answers;)* break;) } else { unreachable.clone() };
        let on_return = if returns.is_some() { quote!(return __korat_value) } else { unreachable };
        parse_quote! {
            if #k::calls::are_watched() {
                if let #k::std::option::Option::Some(__korat_exit) = __korat_loop.ask(&__KORAT_LOOP, #lent) {
                    match __korat_exit {
                        #k::calls::loops::Exit::Left((#(#answers,)*)) => { #on_end }
                        #k::calls::loops::Exit::Returned(__korat_value) => { #on_return }
                    }
                }
            }
        }
    }
}

/// Returns the name of a local in the function: `self` cannot be one.
fn renamed(name: &Ident) -> Ident {
    if name == "self" { format_ident!("__korat_self") } else { name.clone() }
}

/// Turns a copy of a loop into the body of its function.
struct Copying<'k> {
    k: &'k Path,
    in_closure: bool,
}

impl VisitMut for Copying<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let k = self.k;
        match expr {
            Expr::Path(path) if path.path.is_ident("self") => *expr = parse_quote!(__korat_self),
            Expr::Closure(closure) => {
                let outside = std::mem::replace(&mut self.in_closure, true);
                visit_mut::visit_expr_closure_mut(self, closure);
                self.in_closure = outside;
            }
            Expr::Return(leave) if !self.in_closure => {
                let mut value = leave.expr.take().map_or_else(|| parse_quote!(()), |value| *value);
                self.visit_expr_mut(&mut value);
                leave.expr = Some(returned(k, value));
            }
            Expr::Try(tried) if !self.in_closure => {
                self.visit_expr_mut(&mut tried.expr);
                let tried = &tried.expr;
                *expr = parse_quote! {
                    match #k::Try::branch(#tried) {
                        #k::std::ops::ControlFlow::Continue(__korat_value) => __korat_value,
                        #k::std::ops::ControlFlow::Break(__korat_value) => {
                            return #k::calls::loops::Exit::Returned(#k::FromResidual::from_residual(__korat_value))
                        }
                    }
                };
            }
            _ => visit_mut::visit_expr_mut(self, expr),
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        mac.tokens = without_self(mac.tokens.clone());
    }
}

fn returned(k: &Path, value: Expr) -> Box<Expr> {
    let mut call: syn::ExprCall = parse_quote!(#k::calls::loops::Exit::Returned());
    call.args.push(value);
    Box::new(Expr::Call(call))
}

fn without_self(tokens: TokenStream) -> TokenStream {
    let replaced = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(ident) if ident == "self" => TokenTree::Ident(renamed(&ident)),
        TokenTree::Group(group) => {
            let mut made = proc_macro2::Group::new(group.delimiter(), without_self(group.stream()));
            made.set_span(group.span());
            TokenTree::Group(made)
        }
        token => token,
    });
    replaced.collect()
}
