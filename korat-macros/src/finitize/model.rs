//! Models the input of the derive as a class or a plain type, independently of the generated code.

use proc_macro2::Span;
use quote::format_ident;
use syn::{
    Data, DeriveInput, Error, Expr, Fields, Generics, Ident, Index, Member, Path, Result, Type, Visibility, parse_quote,
};

use super::attrs::{FieldAttrs, class_attrs, field_attrs};
use super::hashers::note_hashers;
use crate::errors::Errors;
use crate::instances::{Instance, in_parameters};

/// How predicates see the type.
pub(crate) enum TypeKind {
    /// A struct or an enum with data; predicates read its fields one by one.
    Class,
    /// An enum without data or a type declared plain; predicates read it as a whole.
    Plain,
    /// A struct declared to be copied, with the operators that it derives; predicates read it as a whole, with the
    /// lifted values of its fields.
    Record(Vec<Ident>),
}

/// A type that derives `Finitize`.
pub(crate) struct Model {
    pub(crate) kind: TypeKind,
    pub(crate) name: Ident,
    /// Name of the view, the type that predicates see instead.
    pub(crate) view: Ident,
    pub(crate) vis: Visibility,
    pub(crate) generics: Generics,
    /// The instances to generate; empty if the class is generated for all plain arguments.
    pub(crate) instances: Vec<Instance>,
    /// Maximum number of objects; `None` selects the default.
    pub(crate) objects: Option<Expr>,
    pub(crate) is_enum: bool,
    /// A struct has exactly one variant, without a name.
    pub(crate) variants: Vec<Variant>,
    /// Whether the type is a newtype around an index (`#[finitize(id)]`).
    pub(crate) is_id: bool,
    /// Index of the first element, if it is not 0 (`#[finitize(id, offset = 1)]`).
    pub(crate) offset: Option<Expr>,
    /// Path of the korat crate in generated code.
    pub(crate) krate: Path,
}

/// The fields of a struct or of one variant of an enum.
pub(crate) struct Variant {
    pub(crate) name: Option<Ident>,
    pub(crate) shape: Shape,
    pub(crate) fields: Vec<FieldModel>,
}

impl Variant {
    /// Returns the index of the vector that `field` lies beside, if any.
    pub(crate) fn beside(fields: &[FieldModel], field: &FieldModel) -> Option<usize> {
        let (_, vector) = field.attrs.beside.as_ref()?;
        fields.iter().position(|other| matches!(&other.member, Member::Named(name) if name == vector))
    }

    /// Returns the field indices in declaration order, except that each vector comes before the vectors beside it.
    pub(crate) fn planned_order(&self) -> Vec<usize> {
        let steps = |at: &usize| {
            // `check` rejects cycles.
            let next = |&at: &usize| Variant::beside(&self.fields, &self.fields[at]);
            std::iter::successors(Some(*at), next).count()
        };
        let mut order = Vec::new();
        for depth in 1..=self.fields.len() {
            order.extend((0..self.fields.len()).filter(|at| steps(at) == depth));
        }
        order
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Named,
    Tuple,
    Unit,
}

pub(crate) struct FieldModel {
    pub(crate) member: Member,
    /// Name of the field in messages and in `field!`.
    pub(crate) text: String,
    pub(crate) vis: Visibility,
    pub(crate) ty: Type,
    pub(crate) attrs: FieldAttrs,
}

/// Returns the name of the view of a class, by which `#[rep_ok]` finds it: `__KoratNode` for `Node`.
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
    let (is_enum, mut variants) = match &input.data {
        Data::Struct(data) => (false, vec![variant(None, &data.fields, &mut errors)]),
        Data::Enum(data) => {
            let variants = data.variants.iter();
            (true, variants.map(|one| variant(Some(&one.ident), &one.fields, &mut errors)).collect())
        }
        // `check` rejects unions.
        Data::Union(_) => (true, Vec::new()),
    };
    if let Some(key) = &attrs.id
        && (is_enum || variants.iter().any(|variant| variant.fields.len() != 1))
    {
        errors.push(Error::new_spanned(key, "an `id` is a struct around one integer: `struct Id(u32);`"));
    }
    let is_plain = attrs.plain.is_some()
        || attrs.id.is_some()
        || is_enum && variants.iter().all(|variant| variant.fields.is_empty());
    if let Some((key, _)) = &attrs.copy {
        if is_enum || is_plain || variants.iter().any(|variant| variant.fields.is_empty() || variant.fields.len() > 6) {
            let message = "`copy` belongs on a struct with one to six fields that is neither `plain` nor an `id`";
            errors.push(Error::new_spanned(key, message));
        }
        for field in variants.iter().flat_map(|variant| &variant.fields).filter(|field| field.attrs.are_given()) {
            let message =
                "the fields of a struct with `copy` take no attributes; make a type with its own values `plain`";
            errors.push(Error::new_spanned(&field.ty, message));
        }
    }
    if is_plain && let Some((key, _)) = &attrs.objects {
        let message = "`objects` bounds the objects of a class, and this has plain values; remove it";
        errors.push(Error::new_spanned(key, message));
    }
    let class = in_parameters(&input.ident, &input.generics);
    let mut instances = Vec::new();
    for listed in &attrs.instances {
        match Instance::of(&class, &input.generics, listed) {
            Ok(_) if is_plain => {
                let message = "a plain type has plain arguments, and is generated for all of them; remove `instances`";
                errors.push(Error::new_spanned(listed, message));
            }
            Ok(instance) => instances.push(instance),
            Err(error) => errors.push(error),
        }
    }
    if is_plain {
        let fields = variants.iter().flat_map(|variant| &variant.fields);
        for key in fields.flat_map(|field| field.attrs.of_class()) {
            let message = format!(
                "`{key}` has no meaning in a plain type, whose values are listed as a whole; remove it, or make the type a \
                 class: without `#[finitize(plain)]`"
            );
            errors.push(Error::new_spanned(key, message));
        }
    }
    let mut generics = input.generics.clone();
    note_hashers(&mut generics, &mut variants, &krate);
    let model = Model {
        kind: match (is_plain, &attrs.copy) {
            (true, _) => TypeKind::Plain,
            (false, Some((_, operators))) => TypeKind::Record(operators.clone()),
            (false, None) => TypeKind::Class,
        },
        view: view_name(&input.ident),
        name: input.ident.clone(),
        vis: input.vis.clone(),
        generics,
        instances,
        objects: attrs.objects.map(|(_, expr)| expr),
        is_enum,
        variants,
        is_id: attrs.id.is_some(),
        offset: attrs.offset.map(|(_, expr)| expr),
        krate,
    };
    errors.into_result().map(|()| model)
}

fn variant(name: Option<&Ident>, fields: &Fields, errors: &mut Errors) -> Variant {
    let model = |(index, field): (usize, &syn::Field)| {
        let index = Index { index: u32::try_from(index).unwrap_or(u32::MAX), span: Span::call_site() };
        let member = field.ident.clone().map_or(Member::Unnamed(index), Member::Named);
        let own = match &member {
            Member::Named(name) => name.to_string(),
            Member::Unnamed(index) => index.index.to_string(),
        };
        let text = name.map_or_else(|| own.clone(), |variant| format!("{variant}.{own}"));
        let attrs = field_attrs(&field.attrs, errors);
        FieldModel { member, text, vis: field.vis.clone(), ty: field.ty.clone(), attrs }
    };
    let shape = match fields {
        Fields::Named(_) => Shape::Named,
        Fields::Unnamed(_) => Shape::Tuple,
        Fields::Unit => Shape::Unit,
    };
    Variant { name: name.cloned(), shape, fields: fields.iter().enumerate().map(model).collect() }
}
