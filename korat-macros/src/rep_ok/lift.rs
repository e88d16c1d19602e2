//! Rewrites methods over `&T` into methods over views. Takes a block, gives its methods with the user's tokens and spans;
//! what changes is what they mean:
//!
//! - `x.f` becomes `(*(&x.f).__korat_read())`: a slot is read, a field of anything else stays a field. Where the field may be
//!   changed (the left of an assignment, `&mut x.f`, the receiver of a method) it stays `x.f`, which for a slot reads by
//!   auto-deref and for a local stays a place. In `unsafe`, `*x.f` may mean a raw pointer, to which no slot leads by auto-deref:
//!   what is not certainly written to is read there.
//! - types become types over views, see `types`; names of std with a twin become the twin's path.
//! - patterns that take a class or a sequence apart bind its cells, which are read afterwards, see `patterns`.
//! - every loop round, call and closure counts a step, so that a predicate which never ends is noticed.

mod alternatives;
mod locals;
mod macros;
mod patterns;
mod types;
mod views;

pub(crate) use locals::BoundNames;

use proc_macro2::Span;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{
    BinOp, Block, Error, Expr, ExprBinary, ExprField, ExprMacro, ExprMethodCall, ExprPath, FnArg, GenericParam,
    Generics, Ident, ImplItemFn, Item, ItemFn, ItemStruct, LocalInit, Macro, Pat, Path, PathArguments, PathSegment,
    Result, Safety, Signature, Stmt, StmtMacro, Type, UnOp, parse_quote, parse_quote_spanned,
};

use super::names::{BLANKET_METHODS, Fate, fate, is_pointer_function, own_twin};
use super::parse;
use crate::errors::Errors;

/// A block whose methods run on views.
pub(crate) struct Lifted {
    pub(crate) class: Type,
    pub(crate) generics: Generics,
    pub(crate) class_name: Ident,
    pub(crate) methods: Vec<ImplItemFn>,
    pub(crate) has_rep_ok: bool,
    pub(crate) reexecute: bool,
    pub(crate) krate: Path,
}

pub(crate) fn lift(block: parse::Block) -> Result<Lifted> {
    let krate = &block.krate;
    let params = block.generics.type_params().map(|param| &param.ident);
    let mut lifter = Lifter {
        private: parse_quote!(#krate::__private),
        class: block.class.clone(),
        class_name: block.class_name.clone(),
        own_names: block.plain.iter().chain(params).map(ToString::to_string).collect(),
        own_values: Vec::new(),
        view_aliases: Vec::new(),
        fresh_names: 0,
        in_unsafe: false,
        class_arguments: Vec::new(),
        is_generic: block.generics.type_params().next().is_some(),
        generic_names: GenericNames::of(&block.methods),
        imports_variants: false,
        errors: Errors::default(),
    };
    let mut methods = block.methods;
    for method in &mut methods {
        method.attrs.retain(|attr| attr.path().is_ident("cfg"));
        lifter.lift_fn(&mut method.sig, &mut method.block);
    }
    lifter.errors.into_result()?;
    let parse::Block { class, generics, class_name, has_rep_ok, reexecute, krate, .. } = block;
    Ok(Lifted { class, generics, class_name, methods, has_rep_ok, reexecute, krate })
}

struct Lifter {
    /// `::korat::__private`.
    private: Path,
    /// The type of the untouched block.
    class: Type,
    /// Its name.
    class_name: Ident,
    /// Types that stand for themselves: generic parameters, types declared in a body, and those the user lists.
    own_names: Vec<String>,
    /// Variables in scope, the newest last, and whether each is known to be a struct or tuple of the predicate's own.
    own_values: Vec<(String, bool)>,
    /// Names for views that patterns of the current function need.
    view_aliases: Vec<(Ident, Path)>,
    /// Whether the block has type parameters.
    is_generic: bool,
    /// Types that the block names with arguments.
    generic_names: Vec<String>,
    /// How many names were made up.
    fresh_names: usize,
    /// Whether a variant was refused because it is imported.
    imports_variants: bool,
    /// Whether a raw pointer can be dereferenced here.
    in_unsafe: bool,
    /// Names that the current function gives to a class as arguments.
    class_arguments: Vec<Ident>,
    errors: Errors,
}

impl Lifter {
    fn refuse(&mut self, at: &dyn ToTokens, message: &str) {
        self.errors.push(Error::new_spanned(at, message));
    }

    /// Refuses a variant of the class without the class's name, if `self` is matched against it: such a name would be taken
    /// for a class of its own. One is enough to say so.
    fn check_variants<'p>(&mut self, matched: &Expr, mut pats: impl Iterator<Item = &'p Pat>) {
        if !is_self(matched) || self.imports_variants {
            return;
        }
        if let Some(variant) = pats.find_map(|pat| bare_variant(pat, &self.class_name)) {
            let class = &self.class_name;
            let message = format!("a variant cannot be lifted by its imported name; write `{class}::{variant}`");
            self.refuse(variant, &message);
            self.imports_variants = true;
        }
    }

    fn lift_fn(&mut self, sig: &mut Signature, block: &mut Block) {
        if let Some(token) = sig.asyncness {
            self.refuse(&token, "an `async` function cannot be lifted; write the invariant without awaiting");
        }
        sig.constness = None;
        let known = self.own_names.len();
        for param in &sig.generics.params {
            if let GenericParam::Type(param) = param {
                self.own_names.push(param.ident.to_string());
            }
        }
        let outer_aliases = std::mem::take(&mut self.view_aliases);
        let outer_values = std::mem::take(&mut self.own_values);
        let outer_unsafe = std::mem::replace(&mut self.in_unsafe, matches!(sig.safety, Safety::Unsafe(_)));
        let outer_arguments = std::mem::take(&mut self.class_arguments);
        self.visit_signature_mut(sig);
        self.visit_block_mut(block);
        let class_arguments = std::mem::replace(&mut self.class_arguments, outer_arguments);
        for param in sig.generics.type_params_mut().filter(|param| class_arguments.contains(&param.ident)) {
            // As the derive and the block bound the parameters of the class.
            let private = &self.private;
            param.bounds.push(parse_quote!(#private::PlainField));
        }
        for input in &mut sig.inputs {
            if let FnArg::Typed(typed) = input {
                self.bind_cells(&mut typed.pat, block);
            }
        }
        self.own_names.truncate(known);
        self.own_values = outer_values;
        self.in_unsafe = outer_unsafe;
        let private = &self.private;
        block.stmts.insert(0, parse_quote!(#private::call();));
        for (alias, class) in std::mem::replace(&mut self.view_aliases, outer_aliases) {
            block.stmts.insert(0, parse_quote!(type #alias = <#class as #private::Lift>::Lifted;));
        }
    }

    /// Makes a loop count its rounds.
    fn count_rounds(&self, body: &mut Block) {
        let private = &self.private;
        body.stmts.insert(0, parse_quote!(#private::step();));
    }

    /// Lifts an expression that may be written to: its own fields stay places.
    fn visit_place(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Field(field) => self.visit_place(&mut field.base),
            Expr::Index(index) => {
                self.visit_place(&mut index.expr);
                self.visit_expr_mut(&mut index.index);
            }
            Expr::Paren(paren) => self.visit_place(&mut paren.expr),
            Expr::Group(group) => self.visit_place(&mut group.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => self.visit_place(&mut unary.expr),
            _ => self.visit_expr_mut(expr),
        }
    }

    /// Lifts what a field is read of or a method is called on.
    fn visit_base(&mut self, expr: &mut Expr) {
        if self.in_unsafe && dereferences_field(expr) {
            self.visit_expr_mut(expr);
        } else {
            self.visit_place(expr);
        }
    }

    fn visit_method_call(&mut self, call: &mut ExprMethodCall) {
        // A method that every type has would be found on the slot; below `self` nothing can be written to.
        let blanket = BLANKET_METHODS.iter().any(|name| call.method == name);
        if is_field(&call.receiver) && (blanket || is_below_self(&call.receiver)) {
            self.visit_expr_mut(&mut call.receiver);
        } else {
            self.visit_base(&mut call.receiver);
        }
        if let Some(turbofish) = &mut call.turbofish {
            self.visit_angle_bracketed_generic_arguments_mut(turbofish);
        }
        for arg in &mut call.args {
            self.visit_expr_mut(arg);
        }
    }

    /// `Type::name` and longer paths in an expression.
    fn visit_expr_path(&mut self, expr: &mut ExprPath) -> Option<Expr> {
        if let Some(last) = expr.path.segments.last()
            && is_layout_question(last)
        {
            self.refuse(
                &last.ident.clone(),
                "the layout of a class is not known while the search runs; leave it out of `rep_ok`",
            );
        }
        visit_mut::visit_path_mut(self, &mut expr.path);
        if expr.qself.is_some() || expr.path.segments.len() < 2 {
            return None;
        }
        let count = expr.path.segments.len();
        let (owner, last) = (&expr.path.segments[count - 2], &expr.path.segments[count - 1]);
        let (owner_name, last_name) = (owner.ident.to_string(), last.ident.to_string());
        let is_function = last_name.starts_with(|first: char| first.is_lowercase() || first == '_');
        if owner_name == "Self" {
            // Constants belong to the user's type, methods to the view.
            let class = &self.class;
            return (!is_function).then(|| parse_quote_spanned!(last.span()=> <#class>::#last));
        }
        let fate = if self.class_name == owner_name { Fate::Lifted } else { fate(&owner_name) };
        if self.own_names.contains(&owner_name) || !owner_name.starts_with(char::is_uppercase) {
            return None;
        }
        let private = &self.private;
        match fate {
            Fate::Twin if is_function => Some(parse_quote_spanned!(owner.span()=> #private::twin::#owner::#last)),
            Fate::TwinAroundStructure if is_pointer_function(&owner_name, &last_name) => {
                Some(parse_quote_spanned!(owner.span()=> #private::twin::#owner::#last))
            }
            Fate::TwinAroundStructure if is_function => {
                let mut owner = owner.clone();
                owner.ident = Ident::new(own_twin(&owner_name)?, owner.ident.span());
                Some(parse_quote_spanned!(owner.span()=> #private::twin::#owner::#last))
            }
            // Std containers have no constants or variants: the user's own type has the same name.
            Fate::Twin | Fate::TwinAroundStructure | Fate::Kept => None,
            Fate::Lifted if is_function => {
                let segments = expr.path.segments.iter().take(count - 1);
                let colon = expr.path.leading_colon;
                Some(parse_quote_spanned!(last.span()=>
                    <<#colon #(#segments)::* as #private::Lift>::Lifted>::#last
                ))
            }
            // A constant or a variant: the user's own.
            Fate::Lifted => None,
        }
    }
}

/// `self`, `*self`, `&*self`.
fn is_self(expr: &Expr) -> bool {
    match expr {
        Expr::Path(path) => path.path.is_ident("self"),
        Expr::Paren(paren) => is_self(&paren.expr),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)) && is_self(&unary.expr),
        Expr::Reference(reference) => is_self(&reference.expr),
        _ => false,
    }
}

/// `Circle` in `Circle(radius)`, or alone. With braces it may be another name of a struct.
fn bare_variant<'p>(pat: &'p Pat, class: &Ident) -> Option<&'p Ident> {
    let name = match pat {
        Pat::Or(or) => return or.cases.iter().find_map(|case| bare_variant(case, class)),
        Pat::Paren(paren) => return bare_variant(&paren.pat, class),
        Pat::Reference(reference) => return bare_variant(&reference.pat, class),
        Pat::TupleStruct(tuple) => tuple.path.get_ident()?,
        Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => &ident.ident,
        _ => return None,
    };
    let text = name.to_string();
    let is_variant = text.starts_with(char::is_uppercase) && (text.len() == 1 || text.contains(char::is_lowercase));
    (is_variant && name != class && text != "Self").then_some(name)
}

/// `size_of::<Node>`, `size_of_val`, ..: what they answer of a view says nothing of the user's type.
fn is_layout_question(function: &PathSegment) -> bool {
    if ["size_of_val", "align_of_val", "type_name_of_val"].iter().any(|name| function.ident == name) {
        return true;
    }
    let of_type = ["size_of", "align_of", "type_name"].iter().any(|name| function.ident == name);
    let words = function.arguments.to_token_stream().to_string();
    of_type && words.split(|c: char| !c.is_alphanumeric()).any(|word| word.starts_with(char::is_uppercase))
}

fn is_field(expr: &Expr) -> bool {
    match expr {
        Expr::Field(_) => true,
        Expr::Paren(paren) => is_field(&paren.expr),
        Expr::Group(group) => is_field(&group.expr),
        _ => false,
    }
}

/// Whether the place is below `*x.f`.
fn dereferences_field(place: &Expr) -> bool {
    match place {
        Expr::Field(field) => dereferences_field(&field.base),
        Expr::Index(index) => dereferences_field(&index.expr),
        Expr::Paren(paren) => dereferences_field(&paren.expr),
        Expr::Group(group) => dereferences_field(&group.expr),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
            is_field(&unary.expr) || dereferences_field(&unary.expr)
        }
        _ => false,
    }
}

/// Lifted conditions may be chains, which rustc allows by the edition of the keyword in front of them: that of this crate,
/// not of the user's.
pub(super) fn allow_chains(keyword: &mut Span) {
    *keyword = Span::mixed_site().located_at(*keyword);
}

/// Turns `a && (b && c)` into `a && b && c`: a chain of `let` cannot stand in parentheses.
fn left_associated(binary: &mut ExprBinary) {
    while let Expr::Binary(right) = &mut *binary.right
        && matches!(right.op, BinOp::And(_))
    {
        let ExprBinary { left: first, right: rest, .. } = right.clone();
        let left = &binary.left;
        *binary.left = parse_quote!(#left && #first);
        binary.right = rest;
    }
}

fn is_equality(op: &BinOp) -> bool {
    matches!(op, BinOp::Eq(_) | BinOp::Ne(_))
}

fn is_none(expr: &Expr) -> bool {
    matches!(expr, Expr::Path(path) if path.path.is_ident("None"))
}

/// Whether the expression is `self.f`, `self.f.g`, ..
fn is_below_self(expr: &Expr) -> bool {
    match expr {
        Expr::Field(field) => is_below_self(&field.base),
        Expr::Paren(paren) => is_below_self(&paren.expr),
        Expr::Path(path) => path.path.is_ident("self"),
        _ => false,
    }
}

pub(crate) fn is_compound_assignment(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}

/// Finds the types that are named with arguments.
struct GenericNames(Vec<String>);

impl GenericNames {
    fn of(methods: &[ImplItemFn]) -> Vec<String> {
        let mut found = GenericNames(Vec::new());
        methods.iter().for_each(|method| found.visit_impl_item_fn(method));
        found.0
    }
}

impl<'ast> Visit<'ast> for GenericNames {
    fn visit_path_segment(&mut self, segment: &'ast PathSegment) {
        if matches!(segment.arguments, PathArguments::AngleBracketed(_)) {
            self.0.push(segment.ident.to_string());
        }
        visit::visit_path_segment(self, segment);
    }
}

impl VisitMut for Lifter {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Field(field) if self.is_own_value(&field.base) => {}
            Expr::Field(field) => {
                self.visit_base(&mut field.base);
                let ExprField { member, .. } = field;
                let read = Ident::new("__korat_read", member.span());
                // By reference: a field that is itself a reference must not be taken for what it points to.
                *expr = parse_quote_spanned!(member.span()=> (*(&#field).#read()));
            }
            Expr::Assign(assign) => {
                self.visit_place(&mut assign.left);
                self.visit_expr_mut(&mut assign.right);
            }
            Expr::Binary(binary) if is_compound_assignment(&binary.op) => {
                self.visit_place(&mut binary.left);
                self.visit_expr_mut(&mut binary.right);
            }
            Expr::Binary(binary) if is_equality(&binary.op) && (is_none(&binary.left) || is_none(&binary.right)) => {
                // Comparing with `None` compares no objects, which a view could not do.
                let other = if is_none(&binary.left) { &mut binary.right } else { &mut binary.left };
                self.visit_expr_mut(other);
                *expr = if matches!(binary.op, BinOp::Eq(_)) {
                    parse_quote!((#other).is_none())
                } else {
                    parse_quote!((#other).is_some())
                };
            }
            Expr::If(branch) => {
                let condition = branch.cond.clone();
                self.hiding(|names| names.visit_expr(&condition), |this| visit_mut::visit_expr_if_mut(this, branch));
                allow_chains(&mut branch.if_token.span);
            }
            Expr::Binary(binary) if matches!(binary.op, BinOp::And(_)) => {
                visit_mut::visit_expr_binary_mut(self, binary);
                left_associated(binary);
            }
            Expr::Let(condition) => {
                self.check_variants(&condition.expr, std::iter::once(&*condition.pat));
                if let Some(alternatives) = self.alternatives_of_condition(condition) {
                    *condition = alternatives;
                }
                self.visit_expr_mut(&mut condition.expr);
                if let Some(lifted) = self.lift_condition(condition) {
                    *expr = lifted;
                }
            }
            Expr::Match(choice) => {
                self.check_variants(&choice.expr, choice.arms.iter().map(|arm| &arm.pat));
                self.visit_expr_mut(&mut choice.expr);
                for arm in &mut choice.arms {
                    let pat = arm.pat.clone();
                    self.hiding(|names| names.visit_pat(&pat), |this| this.visit_expr_mut(&mut arm.body));
                }
                self.lift_arms(choice);
            }
            Expr::Closure(closure) => {
                let inputs = closure.inputs.clone();
                self.hiding(
                    |names| inputs.iter().for_each(|input| names.visit_pat(input)),
                    |this| visit_mut::visit_expr_closure_mut(this, closure),
                );
                let (private, body) = (&self.private, &closure.body);
                let mut block: Block = parse_quote!({ #private::step(); #body });
                for input in &mut closure.inputs {
                    self.bind_cells(input, &mut block);
                }
                *closure.body = parse_quote!(#block);
            }
            Expr::Reference(reference) if matches!(&*reference.expr, Expr::Array(_) | Expr::Repeat(_)) => {
                // A literal behind a reference is most often meant for a slice.
                visit_mut::visit_expr_reference_mut(self, reference);
                let (private, literal) = (&self.private, &reference.expr);
                *reference.expr = parse_quote!(#private::twin::Array::from(#literal));
            }
            Expr::Reference(reference) if reference.mutability.is_some() => self.visit_place(&mut reference.expr),
            Expr::MethodCall(call) => self.visit_method_call(call),
            Expr::Path(path) => {
                if let Some(lifted) = self.visit_expr_path(path) {
                    *expr = lifted;
                }
            }
            Expr::Unsafe(block) => {
                let outer = std::mem::replace(&mut self.in_unsafe, true);
                visit_mut::visit_expr_unsafe_mut(self, block);
                self.in_unsafe = outer;
            }
            Expr::While(repeat) => {
                let condition = repeat.cond.clone();
                self.hiding(|names| names.visit_expr(&condition), |this| visit_mut::visit_expr_while_mut(this, repeat));
                allow_chains(&mut repeat.while_token.span);
                self.count_rounds(&mut repeat.body);
            }
            Expr::Loop(repeat) => {
                visit_mut::visit_expr_loop_mut(self, repeat);
                self.count_rounds(&mut repeat.body);
            }
            Expr::ForLoop(repeat) => {
                let pat = repeat.pat.clone();
                self.visit_expr_mut(&mut repeat.expr);
                self.visit_pat_mut(&mut repeat.pat);
                self.hiding(|names| names.visit_pat(&pat), |this| this.visit_block_mut(&mut repeat.body));
                self.bind_cells(&mut repeat.pat, &mut repeat.body);
                self.count_rounds(&mut repeat.body);
            }
            Expr::Macro(ExprMacro { mac, .. }) => {
                if let Some(lifted) = self.visit_macro(mac) {
                    *expr = lifted;
                }
            }
            Expr::Async(block) => {
                self.refuse(&block.async_token, "an `async` block cannot be lifted; write the invariant without it");
            }
            Expr::Await(wait) => {
                self.refuse(&wait.await_token, "`.await` cannot be lifted; write the invariant without awaiting");
            }
            Expr::Yield(give) => {
                self.refuse(&give.yield_token, "`yield` cannot be lifted; return the values in a collection");
            }
            _ => visit_mut::visit_expr_mut(self, expr),
        }
    }

    fn visit_stmt_mut(&mut self, stmt: &mut Stmt) {
        match stmt {
            Stmt::Macro(StmtMacro { mac, semi_token, .. }) => {
                if let Some(lifted) = self.visit_macro(mac) {
                    *stmt = Stmt::Expr(lifted, *semi_token);
                }
            }
            _ => visit_mut::visit_stmt_mut(self, stmt),
        }
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        // Types declared in the body stand for themselves from its start on.
        let known = self.own_names.len();
        for stmt in &block.stmts {
            match stmt {
                Stmt::Item(Item::Struct(item)) => self.own_names.push(item.ident.to_string()),
                Stmt::Item(Item::Enum(item)) => self.own_names.push(item.ident.to_string()),
                Stmt::Item(Item::Type(item)) => self.own_names.push(item.ident.to_string()),
                _ => {}
            }
        }
        let known_values = self.own_values.len();
        for mut stmt in std::mem::take(&mut block.stmts) {
            if let Stmt::Local(local) = &mut stmt {
                block.stmts.extend(self.keep_temporary(local));
                if let Some(LocalInit { expr, diverge: Some(_), .. }) = &local.init {
                    self.check_variants(expr, std::iter::once(&local.pat));
                }
                let before = local.clone();
                if let Some(init) = &mut local.init {
                    self.visit_expr_mut(&mut init.expr);
                    if let Some((_, otherwise)) = &mut init.diverge {
                        self.visit_expr_mut(otherwise);
                    }
                }
                self.note_local(&before);
                let reads = self.lift_local(local);
                block.stmts.push(stmt);
                block.stmts.extend(reads);
            } else {
                self.visit_stmt_mut(&mut stmt);
                block.stmts.push(stmt);
            }
        }
        self.own_values.truncate(known_values);
        self.own_names.truncate(known);
    }

    fn visit_item_mut(&mut self, item: &mut Item) {
        match item {
            Item::Fn(ItemFn { sig, block, .. }) => self.lift_fn(sig, block),
            Item::Struct(ItemStruct { fields, .. }) => visit_mut::visit_fields_mut(self, fields),
            // Constants are the user's own, types and values.
            Item::Const(_) | Item::Static(_) => {}
            // An import in a body would bring the std type back; its names are replaced where they are used.
            _ => visit_mut::visit_item_mut(self, item),
        }
    }

    fn visit_pat_mut(&mut self, pat: &mut Pat) {
        if let Pat::Path(path) = pat {
            if let Some(lifted) = self.lift_unit_variant(&path.path) {
                path.path = lifted;
            } else if let Some(Expr::Path(lifted)) = self.visit_expr_path(path) {
                *path = lifted;
            }
            return;
        }
        visit_mut::visit_pat_mut(self, pat);
    }

    fn visit_type_mut(&mut self, ty: &mut Type) {
        self.lift_type(ty);
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        // Macros in expressions and statements are lifted above; these stand for types, patterns or items.
        let _ = mac;
    }
}
