//! Suites of captures, held against their references.
use ge_harness::picture;
use serde_json::Value;

use crate::captures::recorded;
use crate::support::{Workplace, shared};

/// A suite in all three layouts, of which `wrong` passes nowhere.
fn suite() -> Workplace {
    let place = recorded();
    let (capture, picture) = (place.read("roar.ppdmp"), place.read("roar.png"));
    place.write("suite/images/right.ppdmp", &capture);
    place.write("suite/images/right.png", &picture);
    place.write("suite/images/wrong.ppdmp", &capture);
    let mut wrong = picture::read(&place.path("roar.png")).unwrap();
    wrong.set_pixel(3, 4, [255, 0, 255, 255]);
    picture::write_png(&place.path("suite/images/wrong.png"), &wrong).unwrap();
    // PPSSPP's frame tests: a picture that is 512 wide, and may be a little off.
    place.write("suite/dumps/Depth/near.ppdmp", &capture);
    place.succeed(&[
        "replay",
        "roar.ppdmp",
        "--profile",
        "ppsspp",
        "--order",
        "reference",
        "-o",
        "ppsspp.png",
    ]);
    let shown = picture::read(&place.path("ppsspp.png")).unwrap();
    let mut saved = picture::Picture::filled(512, 272, [0, 0, 0, 255]);
    saved.paste(&shown, 0, 0);
    let [red, green, blue, _] = shown.pixel(0, 0).unwrap();
    saved.set_pixel(0, 0, [red ^ 1, green, blue, 255]);
    picture::write_png(&place.path("suite/ref/Depth/near-soft.png"), &saved).unwrap();
    let pixel = shown
        .pixel(0, 0)
        .map(|[red, green, blue, _]| u32::from_le_bytes([red, green, blue, 0]))
        .unwrap();
    place.write("suite/reads/values.ppdmp", &capture);
    let names = "commands\taddress\twidth\tmask\tvalue\tline\tppsspp\tlabel\n";
    // Before the first record everything is zero; behind the last the background is drawn.
    let last = 100_000;
    let rows = format!(
        "1\t04000000\t4\tffffff\t000000\t1\t1\tzeros\n{last}\t04000000\t4\tffffff\t{pixel:06x}\t2\t1\tcorner\n"
    );
    place.write(
        "suite/reads/values.checks.tsv",
        format!("{names}{rows}").as_bytes(),
    );
    place.write("suite/reads/alone.ppdmp", &capture);
    place
}

fn verdicts(report: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let cases = report["cases"].as_array().unwrap();
    cases
        .iter()
        .map(|case| (text(&case["name"]), text(&case["verdict"])))
        .collect()
}

#[test]
fn a_suite_is_held_against_its_references() {
    let place = suite();
    let run = place.run(&["conformance", "suite", "--report", "report.html"]);
    assert_eq!(run.code, 1, "{}{}", run.stdout, run.stderr);
    assert!(
        run.stdout.contains("  FAIL  images/wrong.ppdmp "),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("3 passed, 1 failed of 4, in "),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout
            .contains("1 capture without a reference: reads/alone.ppdmp"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains(" 2 of 2 "), "{}", run.stdout);
    let page = String::from_utf8(place.read("report.html")).unwrap();
    assert_eq!(
        page.matches("<img ").count(),
        3 + 3 + 2,
        "the equal pictures have no heat map"
    );
    assert!(
        !page.contains("http://") && !page.contains("https://"),
        "nothing is loaded"
    );
    let first = page.find("<h2>").unwrap();
    assert!(
        page[first..].starts_with("<h2>images/wrong.ppdmp</h2>"),
        "the worst comes first"
    );

    let run = place.run(&["conformance", "suite", "--json", "--jobs", "2"]);
    assert_eq!(run.code, 1);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["version"], 1);
    assert_eq!(
        (&report["passed"], &report["failed"]),
        (&Value::from(3), &Value::from(1))
    );
    let verdict = |name: &str, verdict: &str| (name.to_owned(), verdict.to_owned());
    assert_eq!(
        verdicts(&report),
        [
            verdict("dumps/Depth/near.ppdmp", "passed"),
            verdict("images/right.ppdmp", "passed"),
            verdict("images/wrong.ppdmp", "failed"),
            verdict("reads/values.ppdmp", "passed"),
        ]
    );
    let near = &report["cases"][0];
    assert_eq!(
        (&near["maker"], &near["max_mse"]),
        (&Value::from("ppsspp"), &Value::from(0.1))
    );
    assert_eq!(near["comparison"]["differing_pixels"], 1);
}

#[test]
fn a_suite_can_be_cut_and_its_limit_moved() {
    let place = suite();
    assert!(
        place
            .succeed(&["conformance", "suite", "--filter", "RIGHT"])
            .contains("1 passed of 1")
    );
    let text = place.succeed(&["conformance", "suite", "--filter", "images", "--max-mse", "1"]);
    assert!(text.contains("2 passed of 2"), "{text}");
    let mut all = Vec::new();
    for shard in ["1/3", "2/3", "3/3"] {
        let run = place.run(&["conformance", "suite", "--shard", shard, "--json"]);
        all.extend(verdicts(&serde_json::from_str(&run.stdout).unwrap()));
    }
    all.sort();
    assert_eq!(all.len(), 4);
    for (arguments, says) in [
        (
            &["conformance", "suite", "--filter", "nothing"][..],
            "no capture with a reference has 'nothing'",
        ),
        (&["conformance", "loose"], "holds no capture with a reference"),
        (&["conformance", "suite", "--shard", "4/3"], "such as 1/4"),
    ] {
        let run = place.run(arguments);
        assert_eq!(run.code, 2, "{arguments:?}");
        assert!(run.stderr.contains(says), "{arguments:?}: {}", run.stderr);
    }
    assert!(
        place
            .fail(&["conformance", "none"])
            .contains("none: no such file")
    );
    assert!(
        place
            .fail(&["conformance", "roar.ppdmp"])
            .contains("is a file, not a folder")
    );
}

#[test]
fn a_broken_capture_fails_and_the_others_run() {
    let place = suite();
    place.write("suite/images/wrong.ppdmp", b"PPSSPPGE and nothing of the kind");
    place.write("suite/reads/values.checks.tsv", b"a\tb\n");
    let run = place.run(&["conformance", "suite", "--report", "report.html"]);
    assert_eq!(run.code, 1);
    assert!(
        run.stdout.contains("  ERROR  images/wrong.ppdmp "),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("no column commands"), "{}", run.stdout);
    assert!(
        run.stdout.contains("2 passed, 2 could not be compared of 4"),
        "{}",
        run.stdout
    );
    assert!(
        String::from_utf8(place.read("report.html"))
            .unwrap()
            .contains("ERROR</b><h2>images/wrong.ppdmp")
    );
}

#[test]
fn the_public_suites_run() {
    let Some(data) = shared("data") else { return };
    let place = Workplace::new();
    let folder = data.to_str().unwrap();
    let run = place.run(&["conformance", folder, "--filter", "primitives-", "--json"]);
    assert_eq!(run.code, 0, "{}", run.stdout);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(report["passed"].as_u64() >= Some(10), "{report}");
    let text = place.succeed(&["conformance", folder, "--filter", "20204-"]);
    assert!(text.contains("  pass  frametests/dumps/20204-"), "{text}");
}
