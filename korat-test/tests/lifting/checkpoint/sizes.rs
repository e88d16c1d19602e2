//! Elements of unusual sizes: aligned widely, without a size, and very large.

use std::collections::{HashSet, VecDeque};

list!(
    wide_none_and_huge(Wide, Nothing, Huge),
    |list| {
        let mut wides: Vec<Wide> = Vec::new();
        let mut nothings: Vec<Nothing> = Vec::new();
        let mut units: VecDeque<()> = VecDeque::new();
        let mut unit: HashSet<()> = HashSet::new();
        let mut huges: VecDeque<Huge> = VecDeque::new();
        let mut last: Option<Wide> = None;
        let mut rest = &list.head;
        while let Some(node) = rest {
            wides.push(Wide(node.key));
            last = wides.last().copied();
            assert!(wides.iter().all(|wide| std::ptr::from_ref(wide).is_aligned()));
            nothings.push(Nothing);
            units.push_back(());
            unit.insert(());
            huges.push_front(Huge([u64::from(node.key); 5000]));
            if nothings.len() > 1 {
                nothings.remove(0);
                nothings.push(Nothing);
                units.rotate_left(1);
                units.pop_front();
                units.push_front(());
            }
            if huges.iter().any(|huge| huge.0[4999] > 1) {
                return false;
            }
            rest = &node.next;
        }
        let len = usize::from(list.len);
        let sums = wides.iter().map(|wide| wide.0).eq(huges.iter().rev().map(|huge| huge.0[0] as u8));
        sums && [nothings.len(), units.len(), huges.len()] == [len; 3] && last.is_some() == (unit.len() == 1)
    },
    15,
    {
        #[derive(Clone, Copy)]
        #[repr(align(32))]
        pub struct Wide(u8);
        #[derive(Clone, Copy)]
        #[repr(align(32))]
        pub struct Nothing;
        #[derive(Clone, Copy)]
        pub struct Huge([u64; 5000]);
    }
);
