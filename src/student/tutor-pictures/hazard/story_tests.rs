use super::*;

/// Lines 1 and 2 load, line 5 multiplies, and barriers are at lines 3 and 7.
fn regions() -> Regions {
    Regions { load: 1..=2, multiply: 5..=5, first_barrier: 3..=3, second_barrier: 7..=7 }
}

/// `B_tile[2][1]` after `A_tile[2][1]`. Each of two one-thread warps loads one row and reads both.
fn arrays() -> Vec<Array> {
    let array = |name: &str, offset| Array { name: name.into(), offset, bytes: 8, pitch: 1 };
    vec![array("A_tile", 0), array("B_tile", 8)]
}

fn lane(warp: u32, address: u32, value: f32) -> Vec<Lane> {
    vec![Lane { thread: [warp, 0, 0], address, value }]
}

struct Machine {
    memory: [f32; 4],
    events: Vec<Executed>,
}

impl Machine {
    fn new() -> Self {
        Self { memory: [0.0; 4], events: Vec::new() }
    }

    fn load(&mut self, warp: u32, tile: u32) {
        for (line, address) in [(1, warp * 4), (2, 8 + warp * 4)] {
            let value = (10 * (tile + 1) + warp) as f32;
            self.memory[address as usize / 4] = value;
            self.events.push(Executed { warp, line, what: Operation::Write(lane(warp, address, value)) });
        }
    }

    fn multiply(&mut self, warp: u32) {
        for k in 0..2 {
            for address in [8 + k * 4, warp * 4] {
                let value = self.memory[address as usize / 4];
                self.events.push(Executed { warp, line: 5, what: Operation::Read(lane(warp, address, value)) });
            }
        }
    }

    fn barrier(&mut self, line: u32) {
        for warp in 0..2 {
            self.events.push(Executed { warp, line, what: Operation::Arrive });
        }
        self.events.push(Executed { warp: 0, line, what: Operation::Release });
    }
}

/// Without the second barrier, warp 0 loads tile 1 before warp 1 has multiplied tile 0.
fn war() -> Vec<Executed> {
    let mut machine = Machine::new();
    machine.load(0, 0);
    machine.load(1, 0);
    machine.barrier(3);
    machine.multiply(0);
    machine.load(0, 1);
    machine.multiply(1);
    machine.load(1, 1);
    machine.barrier(3);
    machine.multiply(0);
    machine.multiply(1);
    machine.events
}

fn shown(story: &Story) -> Vec<String> {
    let step = |step: &Step| {
        let who = step.column.map_or("all".to_owned(), |column| format!("warp {}", story.warps[column]));
        let mark = match &step.touch {
            Some(touch) if touch.write => format!(" writes {}", touch.value),
            Some(touch) if touch.wrong() => format!(" reads {}, wants {}", touch.value, touch.wanted.unwrap()),
            Some(touch) => format!(" reads {}", touch.value),
            None => String::new(),
        };
        format!("{who}: {:?}{mark}", step.what)
    };
    story.steps.iter().map(step).collect()
}

#[test]
fn a_value_that_was_overwritten_too_early_is_found_where_it_is_read() {
    let story = Story::new(&war(), &regions(), &arrays(), Some(2), (8, &[0, 1]));
    assert_eq!(story.word, "B_tile[0][0]");
    assert_eq!(
        shown(&story)[..8],
        [
            "warp 0: Load { tile: 0 } writes 10",
            "warp 1: Load { tile: 0 }",
            "all: Barrier(1)",
            "warp 0: Multiply { tile: 0, first: 0, last: 0 } reads 10",
            "warp 0: Multiply { tile: 0, first: 1, last: 1 }",
            "warp 0: NoBarrier(2)",
            "warp 0: Load { tile: 1 } writes 20",
            "warp 1: Multiply { tile: 0, first: 0, last: 0 } reads 20, wants 10",
        ]
    );
    assert_eq!(story.fault(), Some(7));
    let (writer, touch) = story.written(7).unwrap();
    assert_eq!((writer, touch.value, touch.tile), (0, 20.0, 1));
}

#[test]
fn a_value_that_was_read_before_it_was_written_is_found() {
    let mut machine = Machine::new();
    machine.load(0, 0);
    machine.multiply(0);
    machine.load(1, 0);
    machine.multiply(1);
    let story = Story::new(&machine.events, &regions(), &arrays(), Some(1), (12, &[0, 1]));
    assert_eq!(story.word, "B_tile[1][0]");
    let fault = &story.steps[story.fault().unwrap()];
    let touch = fault.touch.unwrap();
    // The correct value is the one that the other warp's load of this tile writes later.
    assert_eq!((touch.value, touch.wanted, touch.tile), (0.0, Some(11.0), 0));
    assert!(shown(&story).contains(&"warp 0: NoBarrier(1)".to_owned()));
}

#[test]
fn the_correct_kernel_has_a_story_of_the_same_word_without_a_fault() {
    let mut machine = Machine::new();
    for tile in 0..2 {
        machine.load(0, tile);
        machine.load(1, tile);
        machine.barrier(3);
        machine.multiply(0);
        machine.multiply(1);
        machine.barrier(7);
    }
    let story = Story::new(&machine.events, &regions(), &arrays(), None, (8, &[0, 1]));
    assert_eq!((story.word.as_str(), story.fault()), ("B_tile[0][0]", None));
    let barriers = story.steps.iter().filter(|step| matches!(step.what, StepKind::Barrier(_))).count();
    assert_eq!(barriers, 4);
}
