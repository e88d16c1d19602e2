//! Expands `#[rep_ok]` in the stages `parse -> lift -> lower -> emit`. `lift` replaces the user's types by views, whose
//! fields are slots, and `lower` turns the lifted methods into a machine that can resume at its choices.

mod args;
mod compared;
mod digest;
mod emit;
mod instance;
mod known;
mod lift;
mod loops;
mod lower;
mod mentions;
mod names;
mod parse;
mod reached;
mod rests;
mod scope;
mod std_methods;
mod watched;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Block, Expr, Result, Stmt};

pub(crate) fn expand(args: TokenStream, item: TokenStream) -> TokenStream {
    let untouched = item.clone();
    let refused = parse::refused(args.clone(), item.clone());
    let emitted = parse::parse(args, item).and_then(|block| {
        if block.instances.is_empty() {
            return lifted(block, TokenStream::new());
        }
        let instances = block.instances.iter().map(|listed| {
            let (block, items) = instance::block_of(&block, listed)?;
            lifted(block, items)
        });
        instances.collect()
    });
    match emitted {
        Ok(lifted) => quote!(#untouched #lifted),
        Err(errors) => emit::fallback(untouched, errors, refused),
    }
}

/// Returns the lifted methods of a block and their machine. They see `items`.
fn lifted(block: parse::RepOkImpl, items: TokenStream) -> Result<TokenStream> {
    let lifted = lift::lift(block)?;
    let machine = lifted.has_rep_ok.then(|| lower::lower(&lifted));
    Ok(emit::emit(&items, &lifted, machine.as_ref()))
}

/// Returns whether both are written alike, wherever they stand.
fn same_tokens(one: &dyn ToTokens, other: &dyn ToTokens) -> bool {
    one.to_token_stream().to_string() == other.to_token_stream().to_string()
}

/// Returns `{ stmts value }`. As tokens, a value such as `match x { .. } && y` would be two statements there.
fn block_of(mut stmts: Vec<Stmt>, value: &Expr) -> Block {
    stmts.push(Stmt::Expr(value.clone(), None));
    Block { brace_token: Default::default(), stmts }
}

#[cfg(test)]
mod tests {
    use quote::quote;

    fn expansion(args: proc_macro2::TokenStream, input: proc_macro2::TokenStream) -> String {
        let lifted = super::parse::parse(args, input.clone()).and_then(super::lift::lift);
        let lifted = lifted.unwrap_or_else(|error| panic!("{error}"));
        let lifted = super::emit::emit(&quote!(), &lifted, None);
        let file = syn::parse2(quote!(#input #lifted)).expect("an expansion parses");
        prettyplease::unparse(&file)
    }

    #[test]
    fn search_tree_is_lifted() {
        insta::assert_snapshot!(expansion(
            quote!(),
            quote! {
                impl SearchTree {
                    pub fn rep_ok(&self) -> bool {
                        Self::ordered(&self.root, None, None) == Some(self.size)
                    }
                    fn ordered(node: &Option<Box<Node>>, lo: Option<usize>, hi: Option<usize>) -> Option<usize> {
                        let Some(n) = node else { return Some(0) };
                        if lo.is_some_and(|lo| n.key <= lo) || hi.is_some_and(|hi| n.key >= hi) { return None; }
                        let left = Self::ordered(&n.left, lo, Some(n.key))?;
                        let right = Self::ordered(&n.right, Some(n.key), hi)?;
                        Some(left + right + 1)
                    }
                    pub fn insert(&mut self, key: usize) {}
                }
            }
        ));
    }

    #[test]
    fn containers_loops_and_macros_are_lifted() {
        insta::assert_snapshot!(expansion(
            quote!(),
            quote! {
                impl Graph {
                    fn rep_ok(&self) -> bool {
                        let mut seen: HashSet<*const RefCell<Node>> = HashSet::new();
                        let mut work = vec![self.head.clone()];
                        while let Some(Some(node)) = work.pop() {
                            if !seen.insert(Rc::as_ptr(&node)) { continue; }
                            assert!(matches!(node.borrow().color, Color::Red | Color::Black), "{:?}", self.size);
                            work.extend(node.borrow().edges.iter().cloned());
                            let mut top = Top { best: 0 };
                            top.best += node.borrow().weight;
                            struct Top { best: usize }
                        }
                        seen.len() == self.size
                    }
                }
            }
        ));
    }

    #[test]
    fn loops_over_a_chain_are_asked_about() {
        insta::assert_snapshot!(expansion(
            quote!(),
            quote! {
                impl List {
                    fn rep_ok(&self) -> bool {
                        let (mut at, mut len) = (&self.head, 0);
                        while let Some(node) = at {
                            if node.key > self.most { return false; }
                            len += 1;
                            at = &node.next;
                        }
                        len == self.len
                    }
                }
            }
        ));
    }

    #[test]
    fn instance_of_a_generic_block_is_lifted() {
        let args = quote!(instances(Stack<Plate>));
        let input = quote! {
            impl<T: Weight> Stack<T> {
                fn rep_ok(&self) -> bool {
                    Self::lightest(&self.items) == self.top.as_ref().map(|top: &Box<T>| T::weight(top))
                }
                fn lightest(items: &Vec<T>) -> Option<usize> {
                    items.iter().map(|item| item.weight()).min()
                }
            }
        };
        let block = super::parse::parse(args, input).unwrap_or_else(|error| panic!("{error}"));
        let (block, items) =
            super::instance::block_of(&block, &block.instances[0]).unwrap_or_else(|error| panic!("{error}"));
        let lifted = super::lift::lift(block).unwrap_or_else(|error| panic!("{error}"));
        let file = syn::parse2(super::emit::emit(&items, &lifted, None)).expect("an expansion parses");
        insta::assert_snapshot!(prettyplease::unparse(&file));
    }
}
