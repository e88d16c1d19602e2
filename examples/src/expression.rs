//! Expressions of a small typed language, and an optimiser that must preserve their meaning.

use korat::{Finitize, rep_ok};

/// An expression. Its value is a number or a Boolean.
#[derive(Clone, Debug, PartialEq, Finitize)]
pub enum Expr {
    /// A number.
    Int(#[finitize([0, 1, i32::MAX])] i32),
    /// A Boolean.
    Bool(bool),
    /// The input of the program.
    Input,
    /// The value of the innermost `let` of that name.
    Var(#[finitize(['x', 'y'])] char),
    /// The sum of two numbers, with wrap-around.
    Add(Box<Expr>, Box<Expr>),
    /// Whether a number is less than another.
    Less(Box<Expr>, Box<Expr>),
    /// `if condition { then } else { otherwise }`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `let name = value; body`, where the name is visible only in the body.
    Let {
        /// The name.
        #[finitize(['x', 'y'])]
        name: char,
        /// The expression bound to the name.
        value: Box<Expr>,
        /// The scope of the name.
        body: Box<Expr>,
    },
}

/// The type of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Type {
    /// The type of numbers.
    Int,
    /// The type of Booleans.
    Bool,
}

/// The value of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Int(i32),
    /// A Boolean.
    Bool(bool),
}

/// A program, whose body must be closed and well-typed.
#[derive(Clone, Debug, PartialEq, Finitize)]
pub struct Program {
    /// The expression.
    pub body: Box<Expr>,
}

#[rep_ok]
impl Program {
    /// Returns whether the body is well-typed without any names in scope.
    pub fn rep_ok(&self) -> bool {
        Self::type_of(&self.body, &mut Vec::new()).is_some()
    }

    /// Returns the type of an expression if it and all its parts are well-typed. `names` are those in scope, innermost
    /// last.
    fn type_of(expr: &Expr, names: &mut Vec<(char, Type)>) -> Option<Type> {
        match expr {
            Expr::Int(_) | Expr::Input => Some(Type::Int),
            Expr::Bool(_) => Some(Type::Bool),
            Expr::Var(name) => names.iter().rev().find(|(known, _)| known == name).map(|&(_, ty)| ty),
            Expr::Add(a, b) => {
                let numbers = Self::has_type(a, Type::Int, names) && Self::has_type(b, Type::Int, names);
                numbers.then_some(Type::Int)
            }
            Expr::Less(a, b) => {
                let numbers = Self::has_type(a, Type::Int, names) && Self::has_type(b, Type::Int, names);
                numbers.then_some(Type::Bool)
            }
            Expr::If(condition, then, otherwise) => {
                if !Self::has_type(condition, Type::Bool, names) {
                    return None;
                }
                let ty = Self::type_of(then, names)?;
                Self::has_type(otherwise, ty, names).then_some(ty)
            }
            Expr::Let { name, value, body } => {
                let ty = Self::type_of(value, names)?;
                names.push((*name, ty));
                let ty = Self::type_of(body, names);
                names.pop();
                ty
            }
        }
    }

    fn has_type(expr: &Expr, ty: Type, names: &mut Vec<(char, Type)>) -> bool {
        Self::type_of(expr, names) == Some(ty)
    }
}

impl Program {
    /// Returns the type of the result.
    pub fn result_type(&self) -> Option<Type> {
        Self::type_of(&self.body, &mut Vec::new())
    }

    /// Returns the result for an input; `None` only for an invalid program.
    pub fn run(&self, input: i32) -> Option<Value> {
        self.body.eval(input, &mut Vec::new())
    }

    /// Returns an equivalent program with constant parts evaluated.
    pub fn optimised(self) -> Self {
        Self { body: Box::new(self.body.simplify(Expr::substitute)) }
    }
}

impl Expr {
    /// Returns the number of nodes in this expression.
    pub fn size(&self) -> usize {
        1 + match self {
            Self::Int(_) | Self::Bool(_) | Self::Input | Self::Var(_) => 0,
            Self::Add(a, b) | Self::Less(a, b) | Self::Let { value: a, body: b, .. } => a.size() + b.size(),
            Self::If(a, b, c) => a.size() + b.size() + c.size(),
        }
    }

    /// Returns whether this is a constant.
    fn is_constant(&self) -> bool {
        matches!(self, Self::Int(_) | Self::Bool(_))
    }

    fn eval(&self, input: i32, names: &mut Vec<(char, Value)>) -> Option<Value> {
        Some(match self {
            Self::Int(n) => Value::Int(*n),
            Self::Bool(b) => Value::Bool(*b),
            Self::Input => Value::Int(input),
            Self::Var(name) => names.iter().rev().find(|(known, _)| known == name)?.1,
            Self::Add(a, b) => match (a.eval(input, names)?, b.eval(input, names)?) {
                (Value::Int(a), Value::Int(b)) => Value::Int(a.wrapping_add(b)),
                _ => return None,
            },
            Self::Less(a, b) => match (a.eval(input, names)?, b.eval(input, names)?) {
                (Value::Int(a), Value::Int(b)) => Value::Bool(a < b),
                _ => return None,
            },
            Self::If(condition, then, otherwise) => match condition.eval(input, names)? {
                Value::Bool(true) => then.eval(input, names)?,
                Value::Bool(false) => otherwise.eval(input, names)?,
                Value::Int(_) => return None,
            },
            Self::Let { name, value, body } => {
                let value = value.eval(input, names)?;
                names.push((*name, value));
                let result = body.eval(input, names);
                names.pop();
                result?
            }
        })
    }

    /// Returns the simplified expression; `substitute` replaces names by constants.
    fn simplify(self, substitute: fn(Self, char, &Self) -> Self) -> Self {
        match self {
            Self::Add(a, b) => match (a.simplify(substitute), b.simplify(substitute)) {
                (Self::Int(a), Self::Int(b)) => Self::Int(a.wrapping_add(b)),
                (Self::Int(0), other) | (other, Self::Int(0)) => other,
                (a, b) => Self::Add(Box::new(a), Box::new(b)),
            },
            Self::Less(a, b) => match (a.simplify(substitute), b.simplify(substitute)) {
                (Self::Int(a), Self::Int(b)) => Self::Bool(a < b),
                (a, b) if a == b => Self::Bool(false),
                (a, b) => Self::Less(Box::new(a), Box::new(b)),
            },
            Self::If(condition, then, otherwise) => match condition.simplify(substitute) {
                Self::Bool(true) => then.simplify(substitute),
                Self::Bool(false) => otherwise.simplify(substitute),
                condition => match (then.simplify(substitute), otherwise.simplify(substitute)) {
                    (then, otherwise) if then == otherwise => then,
                    (then, otherwise) => Self::If(Box::new(condition), Box::new(then), Box::new(otherwise)),
                },
            },
            Self::Let { name, value, body } => match value.simplify(substitute) {
                value if value.is_constant() => substitute(*body, name, &value).simplify(substitute),
                value => match body.simplify(substitute) {
                    body if body.mentions(name) => Self::Let { name, value: Box::new(value), body: Box::new(body) },
                    body => body,
                },
            },
            leaf => leaf,
        }
    }

    /// Replaces the free occurrences of a name by a constant.
    fn substitute(self, name: char, constant: &Self) -> Self {
        match self {
            Self::Var(var) if var == name => constant.clone(),
            Self::Let { name: other, value, body } if other == name => {
                Self::Let { name: other, value: Box::new(value.substitute(name, constant)), body }
            }
            inner => inner.map(|part| part.substitute(name, constant)),
        }
    }

    /// Returns whether the name occurs free in the expression.
    fn mentions(&self, name: char) -> bool {
        match self {
            Self::Int(_) | Self::Bool(_) | Self::Input => false,
            Self::Var(var) => *var == name,
            Self::Add(a, b) | Self::Less(a, b) => a.mentions(name) || b.mentions(name),
            Self::If(a, b, c) => a.mentions(name) || b.mentions(name) || c.mentions(name),
            Self::Let { name: other, value, body } => value.mentions(name) || *other != name && body.mentions(name),
        }
    }

    /// Returns the expression with `f` applied to its direct parts.
    fn map(self, f: impl Fn(Self) -> Self) -> Self {
        let f = |part: Box<Self>| Box::new(f(*part));
        match self {
            Self::Add(a, b) => Self::Add(f(a), f(b)),
            Self::Less(a, b) => Self::Less(f(a), f(b)),
            Self::If(a, b, c) => Self::If(f(a), f(b), f(c)),
            Self::Let { name, value, body } => Self::Let { name, value: f(value), body: f(body) },
            leaf => leaf,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::Expr::*;
    use super::*;
    use crate::seeded::found_at;

    /// A buggy [`Program::optimised`]: it substitutes constants even where an inner `let` shadows the name.
    pub(crate) fn optimised_without_scopes(program: Program) -> Program {
        fn substitute(expr: Expr, name: char, constant: &Expr) -> Expr {
            match expr {
                Var(var) if var == name => constant.clone(),
                inner => inner.map(|part| substitute(part, name, constant)),
            }
        }
        Program { body: Box::new(program.body.simplify(substitute)) }
    }

    /// Checks that the optimised program is valid, not larger, and has the same results.
    pub(crate) fn means_the_same(program: &Program, optimise: fn(Program) -> Program) {
        let optimised = optimise(program.clone());
        assert!(optimised.rep_ok());
        assert_eq!(optimised.result_type(), program.result_type());
        assert!(optimised.body.size() <= program.body.size());
        for input in [0, 1, -1, i32::MAX, i32::MIN] {
            assert_eq!(optimised.run(input), program.run(input), "{optimised:?} given {input}");
        }
    }

    /// Checks that a valid program has a result of the right type.
    fn well_typed_programs_do_not_go_wrong(program: &Program) -> Result<(), String> {
        let result = match program.run(7).ok_or("it has no result")? {
            Value::Int(_) => Type::Int,
            Value::Bool(_) => Type::Bool,
        };
        match program.result_type() {
            Some(expected) if expected == result => Ok(()),
            expected => Err(format!("its result is of type {result:?}, not {expected:?}")),
        }
    }

    fn program(body: Expr) -> Program {
        Program { body: Box::new(body) }
    }

    fn bind(name: char, value: Expr, body: Expr) -> Expr {
        Let { name, value: Box::new(value), body: Box::new(body) }
    }

    fn add(a: Expr, b: Expr) -> Expr {
        Add(Box::new(a), Box::new(b))
    }

    fn less(a: Expr, b: Expr) -> Expr {
        Less(Box::new(a), Box::new(b))
    }

    fn choose(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
        If(Box::new(condition), Box::new(then), Box::new(otherwise))
    }

    #[test]
    fn rep_ok_rejects_what_has_no_type() {
        assert!(program(choose(less(Input, Int(3)), Bool(true), Bool(false))).rep_ok());
        assert!(program(bind('x', Int(1), bind('x', less(Var('x'), Input), Var('x')))).rep_ok());
        assert!(!program(Var('x')).rep_ok());
        assert!(!program(bind('x', Var('x'), Int(1))).rep_ok());
        assert!(!program(add(bind('x', Int(1), Int(2)), Var('x'))).rep_ok());
        assert!(!program(add(Int(1), Bool(true))).rep_ok());
        assert!(!program(less(Bool(true), Int(1))).rep_ok());
        assert!(!program(choose(Int(1), Int(1), Int(1))).rep_ok());
        assert!(!program(choose(Bool(true), Int(1), Bool(true))).rep_ok());
        assert!(!program(bind('x', Int(1), bind('x', Bool(true), add(Var('x'), Int(1))))).rep_ok());
    }

    #[test]
    fn work_is_done_beforehand() {
        let optimised = |body: Expr| {
            assert_eq!(well_typed_programs_do_not_go_wrong(&program(body.clone())), Ok(()));
            *program(body).optimised().body
        };
        assert_eq!(optimised(add(Int(1), Int(2))), Int(3));
        assert_eq!(optimised(add(Int(i32::MAX), Int(1))), Int(i32::MIN));
        assert_eq!(optimised(add(Input, bind('x', Int(0), Var('x')))), Input);
        assert_eq!(optimised(bind('x', Input, less(Var('x'), Var('x')))), Bool(false));
        assert_eq!(optimised(choose(less(Int(0), Int(1)), Input, Int(1))), Input);
        assert_eq!(optimised(choose(less(Input, Int(1)), Int(2), add(Int(1), Int(1)))), Int(2));
        assert_eq!(optimised(bind('x', Input, add(Var('x'), Int(0)))), bind('x', Input, Var('x')));
    }

    #[test]
    fn a_test_by_hand_does_not_tell_the_mistake() {
        for optimise in [Program::optimised, optimised_without_scopes] {
            means_the_same(&program(bind('x', Int(1), add(Var('x'), add(Var('x'), Input)))), optimise);
            means_the_same(&program(bind('x', Int(1), bind('y', Input, add(Var('x'), Var('y'))))), optimise);
            means_the_same(&program(bind('x', Input, bind('x', Int(1), Var('x')))), optimise);
            means_the_same(&program(add(bind('x', Int(1), Var('x')), bind('x', Int(2), Var('x')))), optimise);
            means_the_same(&program(choose(less(Input, Int(1)), Bool(true), less(Input, Input))), optimise);
        }
    }

    #[test]
    fn every_well_typed_program_has_a_result() {
        korat::for_each_valid(Program::scope(5), |program| well_typed_programs_do_not_go_wrong(&program));
    }

    #[test]
    fn the_optimiser_changes_no_result() {
        korat::for_each_valid(Program::scope(5), |program| means_the_same(&program, Program::optimised));
    }

    #[test]
    fn a_constant_in_the_wrong_scope_is_found() {
        let found = found_at(1, |scope| {
            korat::for_each_valid(Program::scope(scope), |program| means_the_same(&program, optimised_without_scopes));
        });
        assert_eq!(found, Some(5));
    }
}
