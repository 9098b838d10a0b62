//! A browser to test with: Chromium without a window, led through the Chrome DevTools Protocol.
//!
//! The protocol is JSON texts that end with a zero byte, over a pair of pipes. The crates that speak it or WebDriver bring
//! dozens of others or a second program; what the tests need is on this page.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::sync::{LazyLock, Mutex};
use std::thread;
use std::time::Duration;

use base64::Engine as _;
use serde_json::{Value, json};

/// Longer than any answer takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// How a page is looked at.
#[derive(Clone, Copy)]
pub struct View {
    pub width: u32,
    pub height: u32,
    pub dark: bool,
    pub script: bool,
    pub reduced_motion: bool,
}

impl View {
    pub const WIDE: Self = Self { width: 1440, height: 900, dark: false, script: true, reduced_motion: false };
    pub const PHONE: Self = Self { width: 390, height: 844, ..Self::WIDE };

    pub const fn dark(self) -> Self {
        Self { dark: true, ..self }
    }
}

/// A page in a browser. Storage and history are its own; the browser itself is taken over by the next test.
pub struct Chromium {
    /// Always there until it is handed back.
    browser: Option<Browser>,
    context: Value,
    session: Value,
    events: Vec<Value>,
}

impl Chromium {
    /// Opens a page; says so and gives nothing where there is no browser.
    pub fn start() -> Option<Self> {
        Self::start_with(None)
    }

    /// As [`start`](Self::start), with no font but DejaVu Sans, which Debian falls back to and which is wider than others;
    /// says so and gives nothing where there is none.
    pub fn start_with_dejavu() -> Option<Self> {
        let folders =
            ["truetype/dejavu", "dejavu-sans-fonts", "dejavu", "TTF"].map(|name| format!("/usr/share/fonts/{name}"));
        let Some(font) =
            folders.iter().map(|folder| Path::new(folder).join("DejaVuSans.ttf")).find(|font| font.exists())
        else {
            eprintln!("skipped: no DejaVu Sans here (apt-get install fonts-dejavu-core)");
            return None;
        };
        Self::start_with(Some(&font))
    }

    fn start_with(font: Option<&Path>) -> Option<Self> {
        let Some(program) = &*PROGRAM else {
            eprintln!("skipped: no Chromium here (apt-get install chromium, or name one in VANCURA_CHROMIUM)");
            return None;
        };
        let browser = Some(Browser::idle(font).unwrap_or_else(|| Browser::start(program, font)));
        let mut page = Self { browser, context: Value::Null, session: Value::Null, events: Vec::new() };
        page.context = page.order("Target.createBrowserContext", json!({}))["browserContextId"].take();
        let page_in_context = json!({ "url": "about:blank", "browserContextId": page.context });
        let target = page.order("Target.createTarget", page_in_context)["targetId"].take();
        page.session =
            page.order("Target.attachToTarget", json!({ "targetId": target, "flatten": true }))["sessionId"].take();
        for domain in ["Page", "Runtime", "Network", "Log"] {
            page.order(&format!("{domain}.enable"), json!({}));
        }
        // What lies behind another window draws nothing, and waits for it.
        page.order("Page.bringToFront", json!({}));
        Some(page)
    }

    /// Gives an order and waits for its answer.
    fn order(&mut self, method: &str, parameters: Value) -> Value {
        let browser = self.browser.as_mut().expect("not handed back");
        browser.last_id += 1;
        let id = browser.last_id;
        let mut order = json!({ "id": id, "method": method, "params": parameters });
        if !self.session.is_null() {
            order["sessionId"] = self.session.clone();
        }
        browser.orders.write_all(format!("{order}\0").as_bytes()).expect("the browser listens");
        loop {
            let mut reply = self.reply();
            if reply["id"] == id {
                assert_eq!(reply["error"], Value::Null, "{method}");
                return reply["result"].take();
            }
            self.note(reply);
        }
    }

    fn reply(&mut self) -> Value {
        let browser = self.browser.as_ref().expect("not handed back");
        browser.replies.recv_timeout(PATIENCE).expect("the browser answers")
    }

    /// Remembers an event, unless it is the last that was heard of another test's page.
    fn note(&mut self, event: Value) {
        if event["sessionId"] == self.session {
            self.events.push(event);
        }
    }

    /// Opens a file, with a fragment such as `#game-2` or without, and waits until it has loaded.
    pub fn open(&mut self, file: &Path, fragment: &str, view: View) {
        let View { width, height, dark, script, reduced_motion } = view;
        let is_phone = width < 500;
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_phone });
        self.order("Emulation.setDeviceMetricsOverride", metrics);
        self.order("Emulation.setTouchEmulationEnabled", json!({ "enabled": is_phone }));
        let motion = if reduced_motion { "reduce" } else { "no-preference" };
        let features = json!([
            { "name": "prefers-color-scheme", "value": if dark { "dark" } else { "light" } },
            { "name": "prefers-reduced-motion", "value": motion },
        ]);
        self.order("Emulation.setEmulatedMedia", json!({ "features": features }));
        self.order("Emulation.setScriptExecutionDisabled", json!({ "value": !script }));
        // A change of the fragment alone would load nothing.
        self.load("about:blank");
        self.load(&format!("file://{}{fragment}", file.display()));
    }

    fn load(&mut self, url: &str) {
        self.events.retain(|event| event["method"] != "Page.loadEventFired");
        self.order("Page.navigate", json!({ "url": url }));
        while !self.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            let event = self.reply();
            self.note(event);
        }
    }

    /// The value of an expression in the page, awaited if it is a promise.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let order = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let mut answer = self.order("Runtime.evaluate", order);
        assert_eq!(answer["exceptionDetails"], Value::Null, "{expression}");
        answer["result"]["value"].take()
    }

    /// Waits until an expression in the page is true; that it never will be shows as a browser that does not answer.
    pub fn wait_until(&mut self, expression: &str) {
        self.evaluate(&format!(
            "new Promise((done) => {{ const look = () => ({expression}) ? done() : requestAnimationFrame(look); look(); }})"
        ));
    }

    /// The text of an expression in the page.
    pub fn text(&mut self, expression: &str) -> String {
        let value = self.evaluate(expression);
        value.as_str().unwrap_or_else(|| panic!("{expression} is {value}, no text")).to_owned()
    }

    /// Presses and lets go of a key.
    pub fn press(&mut self, key: &str) {
        let code = if key.len() == 1 { format!("Key{}", key.to_uppercase()) } else { key.to_owned() };
        for kind in ["rawKeyDown", "keyUp"] {
            // Only with its number Escape closes dialogs.
            let number = if key == "Escape" { 27 } else { 0 };
            let event = json!({ "type": kind, "key": key, "code": code, "windowsVirtualKeyCode": number });
            self.order("Input.dispatchKeyEvent", event);
        }
    }

    /// Types a text into what has the focus, and presses Enter.
    pub fn enter(&mut self, text: &str) {
        self.order("Input.insertText", json!({ "text": text }));
        for kind in ["keyDown", "keyUp"] {
            let event =
                json!({ "type": kind, "key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r" });
            self.order("Input.dispatchKeyEvent", event);
        }
    }

    /// Where a square of the board is, `e4`, in view.
    fn square(&mut self, name: &str) -> [f64; 2] {
        let place = self.evaluate(&format!(
            "(async () => {{
                const board = document.querySelector('.board');
                board.scrollIntoView({{ block: 'center' }});
                for (const frame of [1, 2]) await new Promise(requestAnimationFrame);
                const isFlipped = board.matches('.orientation-black');
                const [column, row] = ['abcdefgh'.indexOf('{name}'[0]), 8 - Number('{name}'[1])];
                const [x, y] = isFlipped ? [7 - column, 7 - row] : [column, row];
                const box = board.getBoundingClientRect();
                return [box.left + (x + 0.5) * box.width / 8, box.top + (y + 0.5) * box.height / 8];
            }})()"
        ));
        [0, 1].map(|index| place[index].as_f64().expect("a number"))
    }

    fn mouse(&mut self, kind: &str, [x, y]: [f64; 2]) {
        let (button, buttons) = if kind == "mouseMoved" { ("none", 0) } else { ("left", 1) };
        let event = json!({ "type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1 });
        self.order("Input.dispatchMouseEvent", event);
    }

    /// Clicks on squares of the board one after the other.
    pub fn click_squares(&mut self, names: &[&str]) {
        for name in names {
            let place = self.square(name);
            for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
                self.mouse(kind, place);
            }
            self.wait_for_frames();
        }
    }

    /// Taps on squares of the board with a finger.
    pub fn tap_squares(&mut self, names: &[&str]) {
        for name in names {
            let [x, y] = self.square(name);
            for (kind, points) in [("touchStart", json!([{ "x": x, "y": y }])), ("touchEnd", json!([]))] {
                self.order("Input.dispatchTouchEvent", json!({ "type": kind, "touchPoints": points }));
            }
            self.wait_for_frames();
        }
    }

    /// Drags what is on a square to another with the mouse.
    pub fn drag(&mut self, from: &str, to: &str) {
        let (start, end) = (self.square(from), self.square(to));
        let middle = [(start[0] + end[0]) / 2.0, (start[1] + end[1]) / 2.0];
        for (kind, place) in [
            ("mouseMoved", start),
            ("mousePressed", start),
            ("mouseMoved", middle),
            ("mouseMoved", end),
            ("mouseReleased", end),
        ] {
            self.mouse(kind, place);
        }
        self.wait_for_frames();
    }

    /// Waits until the page has been drawn anew: the board tells of a move a moment after it was made.
    fn wait_for_frames(&mut self) {
        self.evaluate(
            "(async () => { await new Promise((done) => setTimeout(done, 10)); \
             for (const frame of [1, 2]) await new Promise(requestAnimationFrame); })()",
        );
    }

    /// Clicks in an element, at a share of its width and half of its height.
    pub fn click_at(&mut self, selector: &str, share: f64) {
        // Where the mouse points is known for sure once the page has been drawn as it was scrolled.
        let place = self.evaluate(&format!(
            "(async () => {{
                const element = document.querySelector({selector:?});
                element.scrollIntoView({{ block: 'center' }});
                for (const frame of [1, 2]) await new Promise(requestAnimationFrame);
                const box = element.getBoundingClientRect();
                return [box.left + box.width * {share}, box.top + box.height / 2];
            }})()"
        ));
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let button = if kind == "mouseMoved" { "none" } else { "left" };
            let event = json!({ "type": kind, "x": place[0], "y": place[1], "button": button, "clickCount": 1 });
            self.order("Input.dispatchMouseEvent", event);
        }
    }

    /// Clicks in the middle of an element.
    pub fn click(&mut self, selector: &str) {
        self.click_at(selector, 0.5);
    }

    /// Drags a finger over an element, from one share of its width to another.
    pub fn swipe(&mut self, selector: &str, from: f64, to: f64) {
        let place = self.evaluate(&format!(
            "(() => {{ const box = document.querySelector({selector:?}).getBoundingClientRect(); \
             return [box.left, box.top + box.height / 2, box.width]; }})()"
        ));
        let [left, y, width] = [0, 1, 2].map(|index| place[index].as_f64().expect("a number"));
        let touch = |share: f64| json!([{ "x": left + share * width, "y": y }]);
        for (kind, points) in [("touchStart", touch(from)), ("touchMove", touch(to)), ("touchEnd", json!([]))] {
            self.order("Input.dispatchTouchEvent", json!({ "type": kind, "touchPoints": points }));
        }
    }

    /// Keeps a picture of the page under this name, if `VANCURA_SCREENSHOTS` names a folder.
    pub fn picture(&mut self, name: &str) {
        let Some(folder) = env::var_os("VANCURA_SCREENSHOTS") else { return };
        let picture = self.order("Page.captureScreenshot", json!({ "format": "png" }));
        let text = picture["data"].as_str().expect("a picture");
        let bytes = base64::engine::general_purpose::STANDARD.decode(text).expect("in Base64");
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(Path::new(&folder).join(name).with_extension("png"), bytes).expect("a file");
    }

    /// What pages have complained of so far, and what they asked for besides themselves.
    pub fn complaints(&mut self) -> Vec<String> {
        // Whatever was on its way comes before this answer.
        self.order("Runtime.evaluate", json!({ "expression": "0" }));
        let complains = |event: &&Value| match event["method"].as_str().unwrap_or("") {
            "Runtime.exceptionThrown" | "Runtime.consoleAPICalled" | "Log.entryAdded" => true,
            "Network.requestWillBeSent" => {
                let url = event["params"]["request"]["url"].as_str().unwrap_or("");
                let is_page =
                    event["params"]["type"] == "Document" && (url.starts_with("file:") || url == "about:blank");
                !is_page && !url.starts_with("data:")
            }
            _ => false,
        };
        self.events.iter().filter(complains).map(Value::to_string).collect()
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // After a failure nobody knows what state the browser is in.
        if thread::panicking() {
            return;
        }
        self.session = Value::Null;
        self.order("Target.disposeBrowserContext", json!({ "browserContextId": self.context }));
        IDLE.lock().expect("no panic").extend(self.browser.take());
    }
}

/// A running browser. It ends when it loses its pipe, at the latest with the tests.
struct Browser {
    child: Child,
    font: Option<PathBuf>,
    orders: ChildStdin,
    replies: Receiver<Value>,
    last_id: u64,
}

/// Browsers that no test uses now; to start one takes longer than most tests.
static IDLE: Mutex<Vec<Browser>> = Mutex::new(Vec::new());

impl Browser {
    /// One that has served another test.
    fn idle(font: Option<&Path>) -> Option<Self> {
        let mut idle = IDLE.lock().expect("no panic");
        let index = idle.iter().position(|browser| browser.font.as_deref() == font)?;
        Some(idle.swap_remove(index))
    }

    fn start(program: &str, font: Option<&Path>) -> Self {
        let profile = tempfile::tempdir().expect("a folder").keep();
        let fonts = profile.join("fonts.conf");
        if let Some(font) = font {
            let folder = profile.join("fonts");
            std::fs::create_dir(&folder).expect("a folder");
            std::fs::copy(font, folder.join("DejaVuSans.ttf")).expect("a file");
            let text = format!(
                "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\">\
                 <fontconfig><dir>{0}</dir><cachedir>{0}</cachedir></fontconfig>",
                folder.display()
            );
            std::fs::write(&fonts, text).expect("a file");
        }
        // The browser takes its orders from descriptor 3 and answers on descriptor 4. The shell outlives it, and the tests
        // too, to remove what it has written.
        let mut child = Command::new("sh")
            .args(["-c", "\"$@\" 3<&0 4>&1 </dev/null >/dev/null; rm -rf \"$0\""])
            .arg(&profile)
            .arg(program)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars"])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .args(["--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding"])
            .arg("--remote-debugging-pipe")
            .arg(format!("--user-data-dir={}", profile.display()))
            .envs(font.map(|_| ("FONTCONFIG_FILE", &fonts)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a shell");
        let orders = child.stdin.take().expect("a pipe");
        let replies = listen(BufReader::new(child.stdout.take().expect("a pipe")));
        Self { child, font: font.map(Path::to_owned), orders, replies, last_id: 0 }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let order = json!({ "id": self.last_id + 1, "method": "Browser.close" });
        let _ = self.orders.write_all(format!("{order}\0").as_bytes());
        let _ = self.child.wait();
    }
}

/// The browser to use, if there is one.
static PROGRAM: LazyLock<Option<String>> = LazyLock::new(|| {
    let runs =
        |program: &String| Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    let named = env::var("VANCURA_CHROMIUM").ok();
    let known = ["chromium", "chromium-browser", "google-chrome"].map(str::to_owned);
    named.into_iter().chain(known).find(runs)
});

/// Reads on a thread of its own, so that a browser that has died or hangs fails the test instead of holding it.
fn listen(mut pipe: impl BufRead + Send + 'static) -> Receiver<Value> {
    let (sender, replies) = mpsc::channel();
    thread::spawn(move || {
        let mut text = Vec::new();
        while pipe.read_until(0, &mut text).is_ok_and(|length| length > 0) {
            text.pop();
            let Ok(reply) = serde_json::from_slice(&text) else { break };
            if sender.send(reply).is_err() {
                break;
            }
            text.clear();
        }
    });
    replies
}
