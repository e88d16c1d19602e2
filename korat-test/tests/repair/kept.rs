//! Fields that a repair keeps stay in the value: it does not change them, and does not drop what they lie in.

use korat::{Finitize, Irreparable, Reason, Repair, Repaired, field, rep_ok};

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Row {
    number: u8,
    cells: Vec<Cell>,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Cell {
    content: u8,
}

/// Rows in which all numbers are the same, and how many there are to be.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Table {
    rows: Vec<Row>,
    #[allow(clippy::vec_box)]
    boxed: Vec<Box<Row>>,
    perhaps: Option<Row>,
    count: usize,
}

#[rep_ok]
impl Table {
    fn rep_ok(&self) -> bool {
        let is_three = |row: &Row| row.number == 3;
        let perhaps = usize::from(self.perhaps.is_some());
        self.rows.len() + self.boxed.len() + perhaps == self.count
            && self.rows.iter().all(is_three)
            && self.boxed.iter().all(|row| row.number == 3)
            && self.perhaps.iter().all(is_three)
    }
}

fn row(number: u8) -> Row {
    Row { number, cells: vec![Cell { content: number }] }
}

fn table(rows: &[u8], boxed: &[u8], perhaps: Option<u8>) -> Table {
    let rows: Vec<Row> = rows.iter().copied().map(row).collect();
    let boxed: Vec<Box<Row>> = boxed.iter().map(|&number| Box::new(row(number))).collect();
    let count = rows.len() + boxed.len() + usize::from(perhaps.is_some());
    Table { rows, boxed, perhaps: perhaps.map(row), count }
}

/// Says that nothing helps, and leaves the table as it is.
fn assert_nothing_helps(repair: Repair<Table>, table: &Table) {
    let mut repaired = table.clone();
    let error = repair.repair(&mut repaired).map(|told| panic!("{told}")).unwrap_or_else(|error| error);
    assert_eq!(error.reason, Reason::NoValidValue, "{error}");
    assert_eq!(repaired, *table);
}

#[test]
fn an_element_with_a_kept_field_does_not_go() {
    for wrong in [table(&[3, 3, 5], &[], None), table(&[], &[3, 5], None), table(&[3], &[], Some(5))] {
        // Without the row there is one less, and all is well.
        for minimal in [false, true] {
            let repair = || if minimal { Repair::new().minimal() } else { Repair::new() };
            assert_nothing_helps(repair().keep(field!(Row.number)), &wrong);
            let mut repaired = wrong.clone();
            let told = repair().keep(field!(Row.cells)).repair(&mut repaired).expect("the number may change");
            assert_eq!((told.changes.len(), &repaired.rows.len()), (1, &wrong.rows.len()), "{told}");
        }
    }
}

/// A kept field deep inside an element keeps all that it lies in.
#[test]
fn an_element_stays_with_what_lies_in_its_own_elements() {
    let mut wrong = table(&[3, 3, 3], &[], None);
    wrong.count = 2;
    let repair = || Repair::new().keep(field!(Table.count)).fresh(0);
    assert_nothing_helps(repair().keep(field!(Cell.content)), &wrong);
    // One without a cell may go, since nothing that is kept lies in it.
    let empty = Row { number: 3, cells: Vec::new() };
    let mut last = wrong.clone();
    last.rows[2] = empty.clone();
    let told = repair().keep(field!(Cell.content)).repair(&mut last).expect("the last row may go");
    assert_eq!((last.rows, told.dropped), (wrong.rows[..2].to_vec(), vec!["rows[2]".to_string()]));
    let mut first = wrong.clone();
    first.rows[0] = empty;
    assert_nothing_helps(repair().keep(field!(Cell.content)), &first);
}

/// The content of an option, a field of a variant, and a field of a class that lies in another one.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Picture {
    shape: Shape,
    size: Size,
    kind: u8,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
enum Shape {
    Dot,
    Line(u8),
    Path { points: Vec<Cell>, is_open: bool },
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Size {
    height: u8,
    width: u8,
}

#[rep_ok]
impl Picture {
    fn rep_ok(&self) -> bool {
        let kind = match &self.shape {
            Shape::Dot => 0,
            Shape::Line(_) => 1,
            Shape::Path { .. } => 2,
        };
        kind == self.kind && self.size.height == self.size.width
    }
}

fn repaired(repair: Repair<Picture>, picture: &Picture) -> Result<(Picture, Repaired), Irreparable> {
    let mut repaired = picture.clone();
    let told = repair.repair(&mut repaired)?;
    Ok((repaired, told))
}

#[test]
fn a_variant_with_a_kept_field_stays() {
    let size = Size { height: 1, width: 1 };
    let path = Shape::Path { points: vec![Cell { content: 4 }], is_open: true };
    let wrong = Picture { shape: path.clone(), size, kind: 1 };
    let kind = || Repair::new().keep(field!(Picture.kind));
    assert!(repaired(kind(), &wrong).is_ok_and(|(picture, _)| matches!(picture.shape, Shape::Line(_))));
    for repair in [kind().keep(field!(Cell.content)), kind().keep(field!(Picture.shape))] {
        let error = repaired(repair, &wrong).expect_err("the points would go");
        assert_eq!(error.reason, Reason::NoValidValue);
    }
    // Nothing of that is in another variant.
    let wrong = Picture { shape: Shape::Line(7), ..wrong };
    let wrong = Picture { kind: 0, ..wrong };
    let (picture, _) = repaired(kind().keep(field!(Cell.content)), &wrong).expect("it has no points");
    assert_eq!(picture.shape, Shape::Dot);
}

#[test]
fn fields_of_a_class_by_value_are_kept_by_their_own_name_and_by_that_of_the_field() {
    let wrong = Picture { shape: Shape::Dot, size: Size { height: 1, width: 2 }, kind: 0 };
    let (picture, told) = repaired(Repair::new().keep(field!(Size.height)), &wrong).expect("the width may change");
    assert_eq!(picture.size, Size { height: 1, width: 1 }, "{told}");
    let (picture, told) = repaired(Repair::new().keep(field!(Size.width)), &wrong).expect("the height may change");
    assert_eq!(picture.size, Size { height: 2, width: 2 }, "{told}");
    let error = repaired(Repair::new().keep(field!(Picture.size)), &wrong).expect_err("neither may change");
    assert_eq!(error.reason, Reason::NoValidValue);
}
