//! Expands `#[derive(Finitize)]` in the stages `attrs -> model -> check -> emit`. `check` and `emit` inspect field
//! types through `types`.

mod attrs;
mod check;
mod emit;
mod hashers;
mod model;
mod types;

pub(crate) use emit::{bounded, lints};
pub(crate) use model::{default_crate, view_name};

use proc_macro2::TokenStream;
use syn::DeriveInput;

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    match (model::model(&input), check::check(&input)) {
        (Ok(model), Ok(())) => emit::emit(&model),
        (Ok(_), Err(errors)) | (Err(errors), Ok(())) => emit::fallback(&input, errors),
        (Err(mut errors), Err(more)) => {
            errors.combine(more);
            emit::fallback(&input, errors)
        }
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;

    fn expansion(input: proc_macro2::TokenStream) -> String {
        let file = syn::parse2(super::expand(input)).expect("an expansion parses");
        prettyplease::unparse(&file)
    }

    #[test]
    fn class_with_every_kind_of_attribute() {
        insta::assert_snapshot!(expansion(quote! {
            #[finitize(objects = scope + 1)]
            pub struct Node {
                #[finitize(0..=scope)]
                pub key: usize,
                pub(crate) next: Option<Box<Node>>,
                #[finitize(values = ["a", "b"])]
                tag: &'static str,
                #[finitize(-1..=3, len = 0..=2)]
                cells: Vec<i32>,
                #[finitize(beside = links)]
                marks: Vec<bool>,
                #[finitize(index_of = links, none = u8::MAX)]
                links: Vec<u8>,
            }
        }));
    }

    #[test]
    fn fieldless_enum() {
        insta::assert_snapshot!(expansion(quote! {
            enum Color { Red, Black }
        }));
    }

    #[test]
    fn generic_enum_with_data() {
        insta::assert_snapshot!(expansion(quote! {
            pub enum Entry<T: Ord> {
                Occupied(T),
                Vacant { next: Option<usize> },
                Gone,
            }
        }));
    }

    #[test]
    fn instances_of_a_generic_class() {
        insta::assert_snapshot!(expansion(quote! {
            #[finitize(instances(Ring<Node, 4>))]
            pub struct Ring<T: Weight, const N: usize> {
                places: [Option<T>; N],
                #[finitize(0..N)]
                head: usize,
            }
        }));
    }
}
