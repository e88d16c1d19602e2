//! The input as korat sees it. Takes a parsed item, gives a class or a plain enum; knows nothing of tokens to come.

use proc_macro2::Span;
use quote::format_ident;
use syn::{Data, DeriveInput, Error, Expr, Fields, Ident, Index, Member, Path, Result, Type, Visibility, parse_quote};

use super::attrs::{FieldAttrs, class_attrs, field_attrs};
use crate::errors::Errors;

/// A struct or a fieldless enum.
pub(crate) enum Model {
    Class(Box<ClassModel>),
    Plain(PlainModel),
}

pub(crate) struct ClassModel {
    pub(crate) name: Ident,
    /// The name of its view.
    pub(crate) view: Ident,
    pub(crate) vis: Visibility,
    /// How many objects; the default if none is given.
    pub(crate) objects: Option<Expr>,
    /// Whether fields have names.
    pub(crate) shape: Shape,
    pub(crate) fields: Vec<FieldModel>,
    /// Where generated code finds korat.
    pub(crate) krate: Path,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Named,
    Tuple,
    Unit,
}

pub(crate) struct FieldModel {
    pub(crate) member: Member,
    /// The name in messages and in `field!`.
    pub(crate) text: String,
    pub(crate) vis: Visibility,
    pub(crate) ty: Type,
    pub(crate) attrs: FieldAttrs,
}

pub(crate) struct PlainModel {
    pub(crate) name: Ident,
    pub(crate) variants: Vec<Ident>,
    pub(crate) krate: Path,
}

/// The view of class `Node` is `__KoratNode`: `#[rep_ok]` finds it by this name.
pub(crate) fn view_name(class: &Ident) -> Ident {
    format_ident!("__Korat{}", class, span = class.span())
}

pub(crate) fn default_crate() -> Path {
    parse_quote!(::korat)
}

pub(crate) fn model(input: &DeriveInput) -> Result<Model> {
    let mut errors = Errors::default();
    let attrs = class_attrs(&input.attrs, &mut errors);
    let krate = attrs.krate.unwrap_or_else(default_crate);
    let name = input.ident.clone();
    let model = match &input.data {
        Data::Struct(data) => Model::Class(Box::new(ClassModel {
            view: view_name(&name),
            name,
            vis: input.vis.clone(),
            objects: attrs.objects.map(|(_, expr)| expr),
            shape: match data.fields {
                Fields::Named(_) => Shape::Named,
                Fields::Unnamed(_) => Shape::Tuple,
                Fields::Unit => Shape::Unit,
            },
            fields: fields(&data.fields, &mut errors),
            krate,
        })),
        Data::Enum(data) => {
            if let Some((key, _)) = attrs.objects {
                let message = "`objects` bounds the objects of a struct, and an enum has values; remove it";
                errors.push(Error::new_spanned(key, message));
            }
            let variants = data.variants.iter().map(|variant| variant.ident.clone()).collect();
            Model::Plain(PlainModel { name, variants, krate })
        }
        // `check` refuses it.
        Data::Union(_) => Model::Plain(PlainModel { name, variants: Vec::new(), krate }),
    };
    errors.into_result().map(|()| model)
}

fn fields(fields: &Fields, errors: &mut Errors) -> Vec<FieldModel> {
    let model = |(index, field): (usize, &syn::Field)| {
        let index = Index { index: u32::try_from(index).unwrap_or(u32::MAX), span: Span::call_site() };
        let member = field.ident.clone().map_or(Member::Unnamed(index), Member::Named);
        let text = match &member {
            Member::Named(name) => name.to_string(),
            Member::Unnamed(index) => index.index.to_string(),
        };
        let attrs = field_attrs(&field.attrs, errors);
        FieldModel { member, text, vis: field.vis.clone(), ty: field.ty.clone(), attrs }
    };
    fields.iter().enumerate().map(model).collect()
}
