//! Parses `#[finitize(..)]` attributes into `ClassAttrs` and `FieldAttrs`, reporting every error on its token.

use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::token::Paren;
use syn::{Attribute, Error, Expr, ExprField, ExprLit, Ident, Lit, Member, Meta, Path, Result, Token, Type};

use crate::errors::Errors;
use crate::instances;

/// The parsed attributes of a type.
#[derive(Default)]
pub(crate) struct ClassAttrs {
    /// `#[finitize(objects = expr)]`: the key and the value.
    pub(crate) objects: Option<(Ident, Expr)>,
    /// `#[finitize(plain)]`.
    pub(crate) plain: Option<Ident>,
    /// `#[finitize(copy)]` or `#[finitize(copy(PartialEq, ..))]`: the key and the derived operators.
    pub(crate) copy: Option<(Ident, Vec<Ident>)>,
    /// `#[finitize(id)]`.
    pub(crate) id: Option<Ident>,
    /// `#[finitize(id, offset = expr)]`: the key and the value.
    pub(crate) offset: Option<(Ident, Expr)>,
    /// `#[finitize(instances(Type, ..))]`.
    pub(crate) instances: Vec<Type>,
    /// `#[finitize(crate = path)]`.
    pub(crate) krate: Option<Path>,
}

/// The parsed attributes of a field. Most entries include their key, the token on which errors are reported.
#[derive(Default)]
pub(crate) struct FieldAttrs {
    /// `#[finitize(expr)]`.
    pub(crate) domain: Option<Expr>,
    /// `#[finitize(values = [..])]`.
    pub(crate) values: Option<Expr>,
    /// `#[finitize(len = expr)]`: the key and the value.
    pub(crate) len: Option<(Ident, Expr)>,
    /// `#[finitize(index_of = vector)]`: the key and the vector.
    pub(crate) index_of: Option<(Ident, Ident)>,
    /// `#[finitize(index_of = vector, none = expr)]`: the key `none` and its value.
    pub(crate) none: Option<(Ident, Expr)>,
    /// `#[finitize(identity)]` or `#[finitize(identity = "group")]`: the key and the group.
    pub(crate) identity: Option<(Ident, Option<String>)>,
    /// `#[finitize(set)]`.
    pub(crate) set: Option<Ident>,
    /// `#[finitize(beside = vector)]`: the key and the vector.
    pub(crate) beside: Option<(Ident, Ident)>,
    /// `#[finitize(skip = expr)]`: the key and the value.
    pub(crate) skip: Option<(Ident, Expr)>,
    /// `#[finitize(via = Type)]`: the key and the type from whose values those of the field are made.
    pub(crate) via: Option<(Ident, Type)>,
}

impl FieldAttrs {
    /// Returns whether the field has an attribute.
    pub(crate) fn are_given(&self) -> bool {
        let FieldAttrs { domain, values, len, index_of, none, identity, set, beside, skip, via } = self;
        let has_values = domain.is_some() || values.is_some() || len.is_some() || via.is_some() || skip.is_some();
        let has_meaning =
            index_of.is_some() || none.is_some() || identity.is_some() || set.is_some() || beside.is_some();
        has_values || has_meaning
    }

    /// Returns the keys that are meaningful only for fields of a class.
    pub(crate) fn of_class(&self) -> impl Iterator<Item = &Ident> {
        let len = self.len.as_ref().map(|(key, _)| key);
        let index_of = self.index_of.as_ref().map(|(key, _)| key);
        let identity = self.identity.as_ref().map(|(key, _)| key);
        let beside = self.beside.as_ref().map(|(key, _)| key);
        [len, index_of, identity, self.set.as_ref(), beside].into_iter().flatten()
    }
}

/// One comma-separated part of an attribute.
enum Part {
    Bare(Expr),
    Keyed(Ident, Expr),
    Crate(Token![crate], Path),
    Instances(Ident, Vec<Type>),
    Via(Ident, Type),
}

impl Parse for Part {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.peek(Token![crate]) && input.peek2(Token![=]) {
            let token = input.parse()?;
            input.parse::<Token![=]>()?;
            return Ok(Part::Crate(token, input.call(Path::parse_mod_style)?));
        }
        let fork = input.fork();
        if fork.parse::<Ident>().is_ok_and(|key| key == "instances") && (fork.is_empty() || fork.peek(Paren)) {
            let key = input.parse()?;
            let types = instances::listed(input, &key)?;
            return Ok(Part::Instances(key, types));
        }
        let keyed = input.peek(Ident) && input.peek2(Token![=]) && !input.peek2(Token![==]);
        if keyed {
            let key: Ident = input.parse()?;
            input.parse::<Token![=]>()?;
            if key == "via" {
                return Ok(Part::Via(key, input.parse()?));
            }
            return Ok(Part::Keyed(key, input.parse()?));
        }
        Ok(Part::Bare(input.parse()?))
    }
}

fn parts(attrs: &[Attribute], errors: &mut Errors) -> Vec<Part> {
    let mut all = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("finitize")) {
        if !matches!(attr.meta, Meta::List(_)) {
            let message = "`finitize` needs arguments in parentheses; write for example `#[finitize(0..=scope)]`";
            errors.push(Error::new_spanned(&attr.meta, message));
            continue;
        }
        match attr.parse_args_with(Punctuated::<Part, Token![,]>::parse_terminated) {
            Ok(parts) => all.extend(parts),
            Err(error) => errors.push(error),
        }
    }
    all
}

fn set<T>(place: &mut Option<T>, value: T, key: &dyn quote::ToTokens, name: &str, errors: &mut Errors) {
    if place.is_some() {
        errors.push(Error::new_spanned(key, format!("{name} is given twice; keep one")));
    }
    *place = Some(value);
}

/// Returns the identifier if `expr` consists of exactly `word`.
fn word(expr: &Expr, word: &str) -> Option<Ident> {
    match expr {
        Expr::Path(path) if path.path.is_ident(word) => path.path.get_ident().cloned(),
        _ => None,
    }
}

/// Returns the identifier if `expr` consists of a keyword of `#[finitize(..)]`.
fn known_word(expr: &Expr) -> Option<Ident> {
    const WORDS: &[&str] = &[
        "beside", "copy", "id", "identity", "index_of", "len", "none", "objects", "offset", "plain", "set", "skip",
        "values", "via",
    ];
    WORDS.iter().find_map(|known| word(expr, known))
}

/// Returns whether the keyword belongs on a type.
fn is_of_type(word: &Ident) -> bool {
    ["copy", "id", "objects", "offset", "plain"].iter().any(|known| word == known)
}

/// Returns whether the keyword takes no value.
fn is_alone(word: &Ident) -> bool {
    ["copy", "id", "plain", "set"].iter().any(|known| word == known)
}

/// Returns the key and the operators in `copy` or `copy(PartialEq, ..)`.
fn copied_with(expr: &Expr, errors: &mut Errors) -> Option<(Ident, Vec<Ident>)> {
    if let Some(key) = word(expr, "copy") {
        return Some((key, Vec::new()));
    }
    let Expr::Call(call) = expr else { return None };
    let key = word(&call.func, "copy")?;
    let mut operators = Vec::new();
    for argument in &call.args {
        match ["PartialEq", "Eq", "PartialOrd", "Ord", "Hash"].iter().find_map(|known| word(argument, known)) {
            Some(operator) => operators.push(operator),
            None => {
                let message =
                    "`copy` lists which of `PartialEq`, `Eq`, `PartialOrd`, `Ord` and `Hash` the type derives";
                errors.push(Error::new_spanned(argument, message));
            }
        }
    }
    Some((key, operators))
}

/// Returns the name of the vector in `nodes` or `Owner.nodes`.
fn vector_name(expr: &Expr) -> Option<Ident> {
    match expr {
        Expr::Path(path) => path.path.get_ident().cloned(),
        Expr::Field(ExprField { base, member: Member::Named(vector), .. }) if matches!(**base, Expr::Path(_)) => {
            Some(vector.clone())
        }
        _ => None,
    }
}

pub(crate) fn class_attrs(attrs: &[Attribute], errors: &mut Errors) -> ClassAttrs {
    let mut said = ClassAttrs::default();
    for part in parts(attrs, errors) {
        match part {
            Part::Crate(token, path) => set(&mut said.krate, path, &token, "`crate`", errors),
            Part::Instances(_, types) => said.instances.extend(types),
            Part::Via(key, _) => {
                errors.push(Error::new_spanned(key, "`via` belongs on a field; move it there"));
            }
            Part::Keyed(key, expr) if key == "objects" => {
                set(&mut said.objects, (key.clone(), expr), &key, "`objects`", errors);
            }
            Part::Keyed(key, expr) if key == "offset" => {
                set(&mut said.offset, (key.clone(), expr), &key, "`offset`", errors);
            }
            Part::Keyed(key, _)
                if ["values", "len", "index_of", "none", "identity", "set", "beside", "skip"]
                    .iter()
                    .any(|known| key == known) =>
            {
                let message = format!(
                    "`{key}` belongs on a field; on a type only `objects`, `plain`, `copy`, `id`, `instances` and `crate` are known"
                );
                errors.push(Error::new_spanned(key, message));
            }
            Part::Keyed(key, _) if is_alone(&key) && is_of_type(&key) => {
                errors.push(Error::new_spanned(&key, format!("`{key}` takes no value; write `#[finitize({key})]`")));
            }
            Part::Keyed(key, _) => {
                let message = format!(
                    "unknown key `{key}`; on a type `objects`, `plain`, `copy`, `id`, `instances` and `crate` are known"
                );
                errors.push(Error::new_spanned(key, message));
            }
            Part::Bare(expr) if word(&expr, "plain").is_some() => said.plain = word(&expr, "plain"),
            Part::Bare(expr) if let Some((key, operators)) = copied_with(&expr, errors) => {
                set(&mut said.copy, (key.clone(), operators), &key, "`copy`", errors);
            }
            Part::Bare(expr) if word(&expr, "id").is_some() => said.id = word(&expr, "id"),
            Part::Bare(expr) if let Some(key) = word(&expr, "objects") => {
                errors.push(Error::new_spanned(key, "`objects` needs a value: `objects = scope + 1`"));
            }
            Part::Bare(expr) if let Some(key) = word(&expr, "offset") => {
                errors.push(Error::new_spanned(key, "`offset` needs a value: `id, offset = 1`"));
            }
            Part::Bare(expr) if let Some(key) = known_word(&expr) => {
                let message = format!(
                    "`{key}` belongs on a field; on a type only `objects`, `plain`, `copy`, `id`, `instances` and `crate` are known"
                );
                errors.push(Error::new_spanned(key, message));
            }
            Part::Bare(expr) => {
                let message = "a domain belongs on a field; to bound the objects of a type write `objects = ..`";
                errors.push(Error::new_spanned(expr, message));
            }
        }
    }
    if let (Some((key, _)), None) = (&said.offset, &said.id) {
        errors.push(Error::new_spanned(key, "`offset` belongs to `id`: `#[finitize(id, offset = 1)]`"));
    }
    said
}

pub(crate) fn field_attrs(attrs: &[Attribute], errors: &mut Errors) -> FieldAttrs {
    let mut said = FieldAttrs::default();
    for part in parts(attrs, errors) {
        match part {
            Part::Bare(expr) if let Some(key) = word(&expr, "identity") => {
                set(&mut said.identity, (key.clone(), None), &key, "`identity`", errors);
            }
            Part::Bare(expr) if let Some(key) = word(&expr, "set") => {
                set(&mut said.set, key.clone(), &key, "`set`", errors);
            }
            Part::Bare(expr) if let Some(key) = known_word(&expr) => {
                let message = if is_of_type(&key) {
                    format!("`{key}` belongs on a type; move it there")
                } else {
                    format!("`{key}` needs a value: `{key} = ..`")
                };
                errors.push(Error::new_spanned(key, message));
            }
            Part::Bare(expr) => {
                let at = expr.clone();
                set(&mut said.domain, expr, &at, "the domain", errors);
            }
            Part::Keyed(key, expr) if key == "values" => set(&mut said.values, expr, &key, "`values`", errors),
            Part::Keyed(key, expr) if key == "len" => set(&mut said.len, (key.clone(), expr), &key, "`len`", errors),
            Part::Keyed(key, expr) if key == "skip" => {
                set(&mut said.skip, (key.clone(), expr), &key, "`skip`", errors);
            }
            Part::Keyed(key, expr) if key == "index_of" => match vector_name(&expr) {
                Some(vector) => set(&mut said.index_of, (key.clone(), vector), &key, "`index_of`", errors),
                None => {
                    let message = "`index_of` names the vector whose elements the index stands for: `index_of = nodes`";
                    errors.push(Error::new_spanned(expr, message));
                }
            },
            Part::Keyed(key, expr) if key == "beside" => match &expr {
                Expr::Path(path) if let Some(vector) = path.path.get_ident() => {
                    set(&mut said.beside, (key.clone(), vector.clone()), &key, "`beside`", errors);
                }
                _ => {
                    let message =
                        "`beside` names the vector of this struct to whose elements these belong: `beside = nodes`";
                    errors.push(Error::new_spanned(expr, message));
                }
            },
            Part::Keyed(key, expr) if key == "none" => {
                set(&mut said.none, (key.clone(), expr), &key, "`none`", errors);
            }
            Part::Keyed(key, expr) if key == "identity" => match &expr {
                Expr::Lit(ExprLit { lit: Lit::Str(group), .. }) => {
                    set(&mut said.identity, (key.clone(), Some(group.value())), &key, "`identity`", errors);
                }
                _ => {
                    let message = "the group of an `identity` is a text: `identity = \"keys\"`";
                    errors.push(Error::new_spanned(expr, message));
                }
            },
            Part::Keyed(key, _) if key == "objects" => {
                let message = "`objects` belongs on the type whose objects it bounds; move it there";
                errors.push(Error::new_spanned(key, message));
            }
            Part::Keyed(key, _) if is_of_type(&key) => {
                errors.push(Error::new_spanned(&key, format!("`{key}` belongs on a type; move it there")));
            }
            Part::Keyed(key, _) if is_alone(&key) => {
                errors.push(Error::new_spanned(&key, format!("`{key}` takes no value; write `#[finitize({key})]`")));
            }
            Part::Keyed(key, _) => {
                let message = format!(
                    "unknown key `{key}`; on a field a domain, `values`, `len`, `index_of`, `none`, `identity`, `set`, `beside`, `skip` and `via` are known"
                );
                errors.push(Error::new_spanned(key, message));
            }
            Part::Crate(token, _) => {
                errors.push(Error::new_spanned(token, "`crate` belongs on the type; move it there"));
            }
            Part::Via(key, ty) => set(&mut said.via, (key.clone(), ty), &key, "`via`", errors),
            Part::Instances(key, _) => {
                errors.push(Error::new_spanned(key, "`instances` belongs on a type; move it there"));
            }
        }
    }
    if let (Some(_), Some(values)) = (&said.domain, &said.values) {
        errors.push(Error::new_spanned(values, "the field has a domain and `values`; keep one"));
    }
    if let Some((key, _)) = &said.index_of
        && (said.values.is_some() || said.identity.is_some())
    {
        let message = "an index ranges over the elements of its arena; remove `values` or `identity`";
        errors.push(Error::new_spanned(key, message));
    }
    if let (Some((key, _)), None) = (&said.none, &said.index_of) {
        errors.push(Error::new_spanned(key, "`none` belongs to `index_of`: `index_of = nodes, none = usize::MAX`"));
    }
    if let Some((key, vector)) = &said.beside
        && (said.values.is_some() || said.len.is_some())
    {
        let message =
            format!("it has an element for each of `{vector}`, so the length is not free; remove `len` or `values`");
        errors.push(Error::new_spanned(key, message));
    }
    let has_values = said.domain.is_some() || said.values.is_some() || said.len.is_some() || said.via.is_some();
    let has_meaning = said.index_of.is_some() || said.identity.is_some() || said.set.is_some() || said.beside.is_some();
    if let Some((key, _)) = &said.skip
        && (has_values || has_meaning)
    {
        let message = "a field that is left out has the value of `skip` and no other; remove the rest";
        errors.push(Error::new_spanned(key, message));
    }
    if let Some((key, _)) = &said.via
        && (said.domain.is_some() || said.values.is_some() || has_meaning)
    {
        let message = "the values come from those of the type in `via`, which takes only `len`; remove the rest";
        errors.push(Error::new_spanned(key, message));
    }
    said
}
