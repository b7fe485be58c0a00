/*! What a student does and then sees, as the steps of `scenes.txt`. A line that begins with `==` names a scene.

A scene starts on the map of the small course, in 80 × 24 cells. `{key name=value}` stands for a sentence of the interface.
*/

use super::drive::{Driver, driver};
use super::quizzes::practising;
use crate::plain::{lines, typed};
use crate::prelude::*;
use std::collections::BTreeMap;
use tutor_course::CourseSource;
use tutor_progress::Prediction;
use tutor_support::words::{Argument as _, Keyed, Sentence};

fn run(driver: &mut Driver, name: &str, rest: &str) -> Result<(), String> {
    let words: Vec<&str> = rest.split(' ').collect();
    let number = |at: usize| words[at].parse::<usize>().unwrap();
    let size = |driver: &Driver| (driver.model.size.width, driver.model.size.height);
    if name == "worker" {
        driver.send(Msg::Worker(serde_json::from_str(rest).unwrap()));
        return Ok(());
    }
    let text = sentence(rest);
    let claim = |holds: bool, screen: String| if holds { Ok(()) } else { Err(screen) };
    match name {
        "resize" => driver.send(Input::Resize(Size { width: number(0) as u16, height: number(1) as u16 })),
        "wheel" => driver.send(Input::Wheel(rest.parse().unwrap())),
        "reload" => driver.send(Msg::Reloaded(Box::new(driver.model.data.clone()))),
        "size" => *driver = Driver::new((words[0].parse().unwrap(), words[1].parse().unwrap())),
        "course" if rest == "open" => *driver = Driver::all_open(size(driver)),
        "course" if rest == "small" => *driver = Driver::new(size(driver)),
        "course" => *driver = Driver::of(&CourseSource::BuiltIn, size(driver)),
        "go" => driver.send(Msg::Go(Go::Page { level: number(0), page: number(1) })),
        // What a student sees who opens the tutor now.
        "new" => driver.model.welcome(),
        "ascii" => driver.model.ascii = true,
        "page" => driver.open_page(number(0), number(1)),
        "open" => driver.open(rest),
        "exercise" => drop(driver.open_exercise(rest)),
        "gate" => driver.open_quiz(),
        "practise" => *driver = practising(number(0), words[1], words[2], size(driver)),
        "question" => driver.go_to_kind(rest),
        "answer" => driver.answer_all(&words),
        "press" => drop(driver.press(rest)),
        "choose" => {
            let question = driver.quiz().attempt.current().unwrap();
            let at = question.kind.items().iter().position(|item| item.id == rest).unwrap();
            driver.press(&char::from(b'a' + at as u8).to_string());
        }
        "click" => drop(driver.click(&text)),
        "type" => match typed(&driver.model, rest) {
            Ok(inputs) => inputs.into_iter().for_each(|input| driver.send(input)),
            Err(explanation) => driver.send(Msg::Say(explanation)),
        },
        "sees" => return claim(driver.text().contains(&text), driver.text()),
        "lacks" => return claim(!driver.text().contains(&text), driver.text()),
        // In the line-by-line tutor.
        "says" => {
            let message = driver.model.message.as_ref().map(|message| message.text.clone());
            let said = lines(&driver.model).into_iter().chain(message).collect::<Vec<_>>().join("\n");
            return claim(said.contains(&text), said);
        }
        // The questions that have an answer.
        "answers" => {
            let given: Vec<&str> = driver.quiz().attempt.answers.keys().map(String::as_str).collect();
            return claim(given.join(" ") == rest, format!("{given:?}"));
        }
        // The first and the latest choice of each prediction, `-` for a skip.
        "predicted" => {
            let choice = |made: Prediction| made.choice.map_or_else(|| "-".to_owned(), |choice| choice.to_string());
            let made = driver.store.predictions(&driver.model.data.course.id).unwrap();
            let made = made.values().flat_map(|made| [choice(made.first), choice(made.latest)]);
            let made = made.collect::<Vec<_>>().join(" ");
            return claim(made == rest, made);
        }
        // The pages of the first level that are done.
        "done" => {
            let record = driver.store.record(&driver.model.data.course.id).unwrap();
            let done: Vec<&str> = record.read.get("first").into_iter().flatten().map(String::as_str).collect();
            return claim(done.join(" ") == rest, format!("{done:?}"));
        }
        "drafts" => {
            let drafts = driver.store.drafts(&driver.model.data.course.id).unwrap();
            return claim(drafts.len() == number(0), format!("{drafts:?}"));
        }
        // One row has all of these texts.
        "row" => {
            let has = |line: &str| text.split(" && ").all(|part| line.contains(part));
            return claim(driver.text().lines().any(has), driver.text());
        }
        "is" => {
            let screen = match driver.model.screen().unwrap() {
                Screen::Map(map) => format!("map {}", map.cursor),
                Screen::Lesson(lesson) => format!("page {} {}", lesson.level, lesson.page),
                Screen::Quiz(quiz) => format!("{:?} {}", quiz.attempt.kind, quiz.attempt.position),
                Screen::Workshop(_) => "workshop".to_owned(),
                Screen::Welcome(_) => "question".to_owned(),
                other => format!("{other:?}"),
            };
            let overlays = driver.model.overlays.len();
            let shown = if overlays > 0 { format!("{screen} below {overlays}") } else { screen };
            return claim(shown == rest, shown);
        }
        "offers" | "hides" => {
            let actions = driver.model.actions();
            let offered = |name: &&str| actions.iter().any(|action| format!("{action:?}") == *name);
            let all = words.iter().all(|action| offered(action) == (name == "offers"));
            return claim(all, format!("{actions:?}"));
        }
        _ => panic!("there is no step `{name}`"),
    }
    Ok(())
}

/// Replaces `{key name=value}` by the sentence.
fn sentence(text: &str) -> String {
    let Some((before, rest)) = text.split_once('{') else { return text.to_owned() };
    let (call, after) = rest.split_once('}').unwrap();
    let mut words = call.split(' ');
    let key = words.next().unwrap().to_owned();
    let with: BTreeMap<_, _> = words
        .map(|word| {
            let (name, value) = word.split_once('=').unwrap();
            (name.to_owned().into(), value.parse::<u32>().map_or_else(|_| value.value(), |number| number.value()))
        })
        .collect();
    format!("{before}{}{}", Sentence::Keyed(Box::new(Keyed { key: key.into(), with })), sentence(after))
}

#[test]
fn every_scene_goes_as_written() {
    let mut wrong = String::new();
    let scenes: Vec<&str> = include_str!("scenes.txt").split("\n== ").skip(1).collect();
    for scene in &scenes {
        let mut driver = driver();
        let steps = scene.lines().skip(1).filter(|line| !line.is_empty() && !line.starts_with("# "));
        for line in steps {
            let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
            if let Err(found) = run(&mut driver, name, rest) {
                wrong += &format!("{}\n{line}\n{found}\n", scene.lines().next().unwrap());
                break;
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(scenes.len() >= 38, "{}", scenes.len());
}
