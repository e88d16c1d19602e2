//! Stand-ins for `syn::visit` and `syn::visit_mut` that work on trait objects. For each type that implements syn's traits, the
//! compiler generates the walk over all of syn's nodes; for the traits here it generates one walk, which all visitors share.
//!
//! Use them as syn's: a visitor overrides methods, and `visit::visit_expr(self, expr)` visits the children of an expression.
//! They list only the nodes that this crate needs; to override or visit another one, add a line for it.

/// Defines the trait `$Visit` and the functions that visit the children of a node, for a module of syn.
macro_rules! visitor {
    ($module:ident::$Visit:ident$(<$ast:lifetime>)?: $($visit:ident($Node:ty),)*) => {
        use syn::*;

        pub(crate) trait $Visit: Object {
            $(fn $visit(&mut self, node: $Node) {
                $visit(self.object(), node);
            })*
        }

        $(pub(crate) fn $visit(visitor: &mut dyn $Visit, node: $Node) {
            syn::$module::$visit(visitor, node);
        })*

        impl syn::$module::$Visit$(<$ast>)? for dyn $Visit + '_ {
            $(fn $visit(&mut self, node: $Node) {
                $Visit::$visit(self, node);
            })*
        }

        /// Turns a visitor into a trait object, which the default methods of a trait cannot do themselves.
        pub(crate) trait Object {
            fn object(&mut self) -> &mut dyn $Visit;
        }

        impl<V: $Visit> Object for V {
            fn object(&mut self) -> &mut dyn $Visit {
                self
            }
        }
    };
}

pub(crate) mod visit {
    visitor! { visit::Visit<'_>:
        visit_attribute(&Attribute),
        visit_block(&Block),
        visit_expr(&Expr),
        visit_expr_binary(&ExprBinary),
        visit_expr_call(&ExprCall),
        visit_expr_closure(&ExprClosure),
        visit_expr_match(&ExprMatch),
        visit_expr_method_call(&ExprMethodCall),
        visit_expr_path(&ExprPath),
        visit_ident(&Ident),
        visit_impl_item_fn(&ImplItemFn),
        visit_item(&Item),
        visit_item_macro(&ItemMacro),
        visit_local(&Local),
        visit_macro(&Macro),
        visit_pat(&Pat),
        visit_pat_ident(&PatIdent),
        visit_path_segment(&PathSegment),
        visit_stmt(&Stmt),
        visit_type(&Type),
    }
}

pub(crate) mod visit_mut {
    visitor! { visit_mut::VisitMut:
        visit_angle_bracketed_generic_arguments_mut(&mut AngleBracketedGenericArguments),
        visit_block_mut(&mut Block),
        visit_expr_mut(&mut Expr),
        visit_expr_binary_mut(&mut ExprBinary),
        visit_expr_call_mut(&mut ExprCall),
        visit_expr_closure_mut(&mut ExprClosure),
        visit_expr_const_mut(&mut ExprConst),
        visit_expr_if_mut(&mut ExprIf),
        visit_expr_loop_mut(&mut ExprLoop),
        visit_expr_method_call_mut(&mut ExprMethodCall),
        visit_expr_reference_mut(&mut ExprReference),
        visit_expr_repeat_mut(&mut ExprRepeat),
        visit_expr_unsafe_mut(&mut ExprUnsafe),
        visit_expr_while_mut(&mut ExprWhile),
        visit_field_pat_mut(&mut FieldPat),
        visit_fields_mut(&mut Fields),
        visit_generic_argument_mut(&mut GenericArgument),
        visit_impl_item_const_mut(&mut ImplItemConst),
        visit_impl_item_fn_mut(&mut ImplItemFn),
        visit_item_mut(&mut Item),
        visit_item_fn_mut(&mut ItemFn),
        visit_lifetime_mut(&mut Lifetime),
        visit_local_mut(&mut Local),
        visit_macro_mut(&mut Macro),
        visit_pat_mut(&mut Pat),
        visit_pat_ident_mut(&mut PatIdent),
        visit_path_mut(&mut Path),
        visit_signature_mut(&mut Signature),
        visit_stmt_mut(&mut Stmt),
        visit_trait_item_const_mut(&mut TraitItemConst),
        visit_type_mut(&mut Type),
        visit_type_path_mut(&mut TypePath),
    }
}
