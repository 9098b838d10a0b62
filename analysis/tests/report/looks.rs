//! How the page looks in a browser: sizes, wide fonts, contrast, colours. Skipped, with a message, where there is no Chromium.

use analysis::model::Game;

use crate::browser::Report;
use crate::chromium::{Chromium, View};
use crate::sample::rich_game;

#[test]
fn the_page_fits_phones_and_wide_screens_light_and_dark() {
    let Some(mut browser) = Chromium::start() else { return };
    let mut long_names = rich_game();
    long_names.number = 2;
    for tag in &mut long_names.tags {
        tag.value = tag.value.repeat(12).replace(' ', "");
    }
    let report = Report::of(&[rich_game(), long_names]);
    let tablet = View { width: 820, height: 1180, ..View::WIDE };
    for (size, view) in [("wide", View::WIDE), ("phone", View::PHONE), ("tablet", tablet)] {
        for (colours, view) in [("light", view), ("dark", view.dark())] {
            for (name, fragment) in [("overview", ""), ("game", "#game-1/17"), ("long", "#game-2/17")] {
                browser.open(&report.file, fragment, view);
                let width = browser.evaluate("document.documentElement.scrollWidth");
                assert_eq!(width, view.width, "{name}, {size}, {colours}");
                browser.picture(&format!("{name}-{size}-{colours}"));
                if name != "game" {
                    continue;
                }
                let board = browser.evaluate("document.querySelector('.board').getBoundingClientRect().toJSON()");
                let [width, bottom] = ["width", "bottom"].map(|side| board[side].as_f64().unwrap());
                assert!(
                    width > 340.0 && bottom < f64::from(view.height),
                    "{name}, {size}: the board is large and in view"
                );
            }
        }
    }
    assert_eq!(browser.complaints(), [""; 0]);
}

/// On a busy machine the time of a frame, which is when it began, lies well before the move that it draws.
#[test]
fn pieces_that_move_stay_on_the_board_where_frames_are_late() {
    let Some(mut browser) = Chromium::start() else { return };
    let report = Report::of(&[rich_game()]);
    browser.open(&report.file, "#game-1/17", View::WIDE);
    let farthest = browser.evaluate(
        "(async () => {
            const frame = requestAnimationFrame;
            window.requestAnimationFrame = (draw) => frame((now) => draw(now - 800));
            const board = document.querySelector('.board').getBoundingClientRect();
            const end = performance.now() + 1500;
            let [farthest, seen] = [0, 0];
            for (let step = 0; performance.now() < end; ++step) {
                if (step < 8) window.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
                await new Promise((done) => frame(() => setTimeout(done)));
                for (const piece of document.querySelectorAll('.board piece')) {
                    const { left, right, top, bottom } = piece.getBoundingClientRect();
                    const away = [board.left - left, right - board.right, board.top - top, bottom - board.bottom];
                    farthest = Math.max(farthest, ...away);
                    seen += piece.matches('.anim');
                }
            }
            return [farthest, seen > 10];
        })()",
    );
    assert!(farthest[0].as_f64().unwrap() < 1.0, "{farthest}");
    assert_eq!(farthest[1], true, "pieces moved");
}

/// What stands where it should not: texts that lie on each other, and texts and boxes that leave the panel they are in. What
/// a scrolled list cuts off does not count, nor what is for screen readers alone.
pub const OVERLAPS: &str = r#"(() => {
    const faults = [];
    const isSeen = (element) => element.checkVisibility() && !element.closest(".hidden, .board, svg, .tip");
    const name = (element) => `${element.localName}.${element.getAttribute("class") ?? ""}`;
    const clipped = (box, element) => {
        let { left, top, right, bottom } = box;
        for (let at = element; at; at = at.parentElement) {
            if (getComputedStyle(at).overflowX === "visible") continue;
            const bounds = at.getBoundingClientRect();
            [left, top] = [Math.max(left, bounds.left), Math.max(top, bounds.top)];
            [right, bottom] = [Math.min(right, bounds.right), Math.min(bottom, bounds.bottom)];
        }
        return { left, top, right, bottom };
    };
    const meet = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
        && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 4;
    const leaves = (box, bounds) => box.left < bounds.left - 1 || box.right > bounds.right + 1;
    const panels = "td, th, li, section, figure, table, header, footer, main, button, p, dialog";
    const texts = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const [node, parent] = [walker.currentNode, walker.currentNode.parentElement];
        if (!node.data.trim() || parent.closest("script, style, noscript, template") || !isSeen(parent)) continue;
        // A line may be scrolled below its score, which stays.
        const isLine = parent.closest(".lines ol");
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const rect of range.getClientRects()) {
            const box = clipped(rect, parent);
            if (box.right - box.left < 1 || box.bottom - box.top < 1) continue;
            const panel = parent.closest(panels);
            if (panel && leaves(box, panel.getBoundingClientRect())) faults.push(`"${node.data}" leaves ${name(panel)}`);
            if (!isLine) texts.push({ box, text: node.data });
        }
    }
    texts.forEach((one, index) => {
        for (const other of texts.slice(index + 1)) {
            if (meet(one.box, other.box)) faults.push(`"${one.text}" lies on "${other.text}"`);
        }
    });
    const boxes = [...document.querySelectorAll("section, table, figure, .controls, .strip, .board, .graph-frame, .actions, form")]
        .filter((element) => element.checkVisibility());
    for (const [index, box] of boxes.entries()) {
        const parent = box.parentElement.closest("section, article, main");
        if (parent && leaves(box.getBoundingClientRect(), parent.getBoundingClientRect())) {
            faults.push(`${name(box)} leaves ${name(parent)}`);
        }
        for (const other of boxes.slice(index + 1)) {
            const isInside = box.contains(other) || other.contains(box);
            if (!isInside && meet(clipped(box.getBoundingClientRect(), box), clipped(other.getBoundingClientRect(), other))) {
                faults.push(`${name(box)} lies on ${name(other)}`);
            }
        }
    }
    return faults.join("\n");
})()"#;

#[test]
fn nothing_lies_on_anything_else_with_a_wide_font() {
    let Some(mut browser) = Chromium::start_with_dejavu() else { return };
    let report = Report::of(&[rich_game(), Game { number: 2, ..rich_game() }]);
    let mut widths = Vec::new();
    for width in [390, 700, 820, 1100, 1280, 1440, 1920] {
        let view = if width == 390 { View::PHONE } else { View { width, height: 1000, ..View::WIDE } };
        for (name, fragment, script) in
            [("overview", "", true), ("game", "#game-1/17", true), ("end", "#game-1/52", true), ("noscript", "", false)]
        {
            browser.open(&report.file, fragment, View { script, ..view });
            assert_eq!(browser.text(OVERLAPS), "", "{name} at {width} pixels");
            assert_eq!(browser.evaluate("document.documentElement.scrollWidth"), width, "{name}");
            browser.picture(&format!("dejavu-{name}-{width}"));
        }
        browser.open(&report.file, "", view);
        widths.push(browser.evaluate(
            "document.querySelector('.about').textContent && (() => { const probe = \
            document.body.appendChild(document.createElement('span')); probe.textContent = 'M'.repeat(20); \
            return probe.getBoundingClientRect().width; })()",
        ));
    }
    // An M of DejaVu Sans is 0.863 em wide, and 20 of them at 16 pixels are 276, or 280 where letters are fitted to pixels.
    assert!(widths.iter().all(|width| (width.as_f64().unwrap() - 278.0).abs() < 4.0), "another font: {widths:?}");
    assert_eq!(browser.complaints(), [""; 0]);
}

/// Texts against their grounds, as the Web Content Accessibility Guidelines 2.2 ask for at level AA.
#[test]
fn texts_have_contrast() {
    let Some(mut browser) = Chromium::start() else { return };
    let report = Report::of(&[rich_game()]);
    let luminance = |colour: &str| {
        let numbers = colour.trim_start_matches("rgb(").trim_end_matches(')').split(", ");
        let linear = numbers
            .map(|number| number.parse::<f64>().unwrap() / 255.0)
            .map(|value| if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) });
        linear.zip([0.2126, 0.7152, 0.0722]).map(|(value, weight)| value * weight).sum::<f64>()
    };
    let mut pairs = Vec::new();
    for ink in ["ink", "soft", "accent", "inaccuracy", "mistake", "blunder", "only", "best"] {
        pairs.extend([(ink, "paper"), (ink, "card")]);
    }
    pairs.extend([
        ("ink", "inset"),
        ("soft", "inset"),
        ("ink", "accent-ground"),
        ("soft", "accent-ground"),
        ("card", "accent"),
    ]);
    pairs.extend([("coordinate", "square-light"), ("coordinate", "square-dark")]);
    for view in [View::WIDE, View::WIDE.dark()] {
        browser.open(&report.file, "", view);
        let mut colour = |name: &str| {
            luminance(&browser.text(&format!(
                "(() => {{ const probe = document.body.appendChild(document.createElement('i')); \
                 probe.style.color = 'var(--{name})'; return getComputedStyle(probe).color; }})()"
            )))
        };
        for (ink, ground) in &pairs {
            let (ink_light, ground_light) = (colour(ink), colour(ground));
            let ratio = (ink_light.max(ground_light) + 0.05) / (ink_light.min(ground_light) + 0.05);
            assert!(ratio >= 4.5, "--{ink} on --{ground}, dark {}: {ratio:.2}", view.dark);
        }
    }
}

#[test]
fn colours_follow_the_system_until_asked_otherwise() {
    let Some(mut browser) = Chromium::start() else { return };
    let report = Report::of(&[rich_game()]);
    let ground = "getComputedStyle(document.body).backgroundColor";
    browser.open(&report.file, "", View::WIDE);
    let light = browser.text(ground);
    browser.open(&report.file, "", View::WIDE.dark());
    let dark = browser.text(ground);
    assert_ne!(light, dark);
    browser.click("#theme");
    assert_eq!(browser.text(ground), light);
    browser.click("#theme");
    assert_eq!(browser.text(ground), dark);
    assert_eq!(browser.complaints(), [""; 0]);
}
