// The page around the module: it passes events in, and carries out what the module asks for.
import { Screen } from "./screen.js";
import { PROGRESS, Storage } from "./storage.js";
import { Files, instantiate } from "./wasi.js";
import { Helper } from "./helper.js";

const TICK = 80;
// Time that a sentence below the screen stays at least, in milliseconds. Then the next key hides it.
const NOTICE = 6000;
const element = (id) => document.getElementById(id);
const started = performance.now();
const screen = new Screen(element("canvas"), element("selection"));
// For tests, which read the cells.
window.tutorScreen = screen;
const storage = new Storage();
const channel = opened(() => new BroadcastChannel("matmul-tutor"));

// Texts of the page in the current language, by name.
let texts = {};
let tutor, module, files;
// The archives with the texts of a language.
const LANGUAGES = ["ko"];
// The archives that the module has: its files, and the texts of other languages than English.
const packs = new Map();
let frame = { editing: false, cursor: null, place: "", buttons: [] };
let plain = localGet("plain") === "yes";
let quit = false;
const language = localGet("language") ?? (navigator.language.startsWith("ko") ? "ko" : "en");
document.documentElement.lang = language;
// The colours that the student chose here before, so that the page has them while it loads.
ground(localGet("ground")?.split(" "));
// True while theme and language come from the system, not from the student.
let following = false;
// True on a screen for fingers: keys are buttons there.
const touch = matchMedia("(pointer: coarse)").matches;
// True while a link is opened, which changes no history.
let arriving = false;
// `matmul-tutor course web --check` waits for a request.
const checked = location.search === "?check";

// What a browser denies together with storage is null.
function opened(open) {
    try {
        return open();
    } catch {
        return null;
    }
}

// What was chosen here before. Without storage, a choice lasts until the tab is closed.
function localGet(key) {
    return opened(() => localStorage.getItem(`matmul-tutor ${key}`));
}

function localPut(key, value) {
    opened(() => localStorage.setItem(`matmul-tutor ${key}`, value));
}

// Sets the page's colours: background and text.
function ground([back, front] = []) {
    if (!front) return;
    document.documentElement.style.setProperty("--back", back);
    document.documentElement.style.setProperty("--front", front);
}

// Texts that the student typed in the editor but did not save, by file. The browser's storage keeps them, too.
const drafts = new Map();
const draftOf = (file) => drafts.get(file) ?? localGet(`draft ${file}`);

// Keeps the editor's text as a draft if it differs from the file's.
function drafted() {
    const { file, saved } = element("editor").dataset, text = element("source").value;
    element("drop").hidden = text === saved;
    if (text === saved) {
        drafts.delete(file);
        opened(() => localStorage.removeItem(`matmul-tutor draft ${file}`));
    } else {
        drafts.set(file, text);
        localPut(`draft ${file}`, text);
    }
}

// Runs something of the module. A trap ends the page, which says so.
function guarded(work) {
    if (!tutor) return undefined;
    try {
        const result = work(tutor.exports);
        // In order, also if a message leads to another event.
        while (inbox.length > 0) receive(inbox.shift());
        return result;
    } catch (error) {
        failed(tutor?.errors().trim() || String(error));
        return undefined;
    }
}

// Messages of the module that are not carried out yet.
const inbox = [];

function failed(why) {
    tutor = undefined;
    console.error(why);
    if (checked) fetch(`failed?${encodeURI(why)}`);
    element("failure").hidden = false;
    element("opening").hidden = true;
    const told = (lasting() ? texts.broken : texts.unsaved) ?? "The page has failed. Reload it.";
    element("failure").textContent = `${told} ${why}`;
}

function event(message) {
    guarded((exports) => {
        tutor.give(typeof message === "string" ? message : JSON.stringify(message));
        exports.event(performance.now() - started);
    });
}

// Draws everything again, after the canvas was cleared.
const redraw = () => event('"redraw"');

// ---- what the module asks for

const carryOut = {
    frame(changed) {
        const before = frame.place, moved = before !== changed.place;
        frame = changed;
        screen.draw(changed);
        const at = frame.cursor;
        element("cursor").hidden = !at;
        if (at) {
            screen.place(element("cursor"), at);
            screen.place(element("field"), at, Math.max(2, screen.columns - at[0] - 1));
        }
        follow();
        buttons();
        if (moved && !arriving) visit(!sameSimulator(frame.place, before));
    },
    lines(lines) {
        const part = document.createElement("p");
        part.textContent = lines.join("\n");
        element("log").append(part);
        while (element("log").childElementCount > 200) element("log").firstChild.remove();
        part.scrollIntoView();
    },
    work: (request) => kernels.ask(JSON.stringify({ work: request })),
    colour: (request) => colours.ask(JSON.stringify({ colour: request })),
    stop: () => kernels.stop(),
    keep: () => keep(),
    theme({ name, ground: own }) {
        if (!following) localPut("theme", name);
        const dark = matchMedia("(prefers-color-scheme: dark)").matches;
        screen.ground = own ?? (dark ? ["#1e1e1e", "#d4d4d4"] : ["#ffffff", "#1e1e1e"]);
        ground(screen.ground);
        if (!following) localPut("ground", screen.ground.join(" "));
        redraw();
    },
    language({ code, texts: pairs }) {
        if (!following) localPut("language", code);
        texts = Object.fromEntries(pairs);
        document.documentElement.lang = code;
        for (const part of document.querySelectorAll("[data-text]")) part.textContent = texts[part.dataset.text];
        element("canvas").setAttribute("aria-label", texts.canvas);
        element("field").setAttribute("aria-label", texts.field);
        element("line").setAttribute("aria-label", texts.line);
        element("line").placeholder = texts.line;
        nameMode();
        say();
    },
    edit({ file, text, line }) {
        const area = element("source");
        area.value = text;
        // As the browser writes line ends.
        Object.assign(element("editor").dataset, { file, saved: area.value });
        area.value = draftOf(file) ?? text;
        element("drop").hidden = area.value === element("editor").dataset.saved;
        element("file").textContent = file.replace(/^\/work\//, "");
        element("editor").showModal();
        const lines = text.split("\n");
        const at = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
        area.focus();
        area.setSelectionRange(at, at);
        area.scrollTop = (area.scrollHeight * Math.max(0, line - 5)) / lines.length;
    },
    download: ({ name, bytes }) => download(name, Uint8Array.from(bytes)),
    ticks(on) {
        clearInterval(carryOut.timer);
        if (on) carryOut.timer = setInterval(() => event('"tick"'), TICK);
    },
    quit() {
        quit = true;
        // Else the end of `keep` says it.
        if (!storing) say(lasting() ? texts.quit : texts.memory);
    },
    set_aside: () => {
        const name = `set-aside-${new Date().toISOString()}`;
        storage.change(PROGRESS, (before) => {
            if (before) {
                storage.change(name, () => before.bytes).catch(() => {});
                download(name, before.bytes);
            }
            version = 0;
            return undefined;
        }).catch(() => {});
    },
    imported: (sentence) => say(sentence),
    failed: (why) => failed(why),
};

function receive(json) {
    const message = JSON.parse(json);
    if (typeof message === "string") carryOut[message]();
    else for (const [name, value] of Object.entries(message)) carryOut[name](value);
}

let said = 0;

// A key or a tap hides a sentence that was there long enough.
function hush() {
    if (!quit && performance.now() - said <= NOTICE) return;
    quit = false;
    say();
}

// Shows a sentence, or, in the place of none, that nothing is stored.
function say(sentence = storage.database === null ? texts.memory : "") {
    element("notice").hidden = !sentence;
    element("notice").textContent = sentence;
    said = performance.now();
}

// ---- places

// Writes the tutor's place into the address, as a new entry of the browser's history or in the place of the current one.
function visit(isNew) {
    const address = frame.place ? `#${frame.place}` : location.pathname + location.search;
    if (isNew) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
}

// Each change of the simulator's access is the same place.
const sameSimulator = (...places) => places.every((place) => place.startsWith("banks="));

// Opens the place of the address. If there is none, the address becomes the one of the place that stays.
function arrive() {
    arriving = true;
    event({ link: linked(location.href) });
    arriving = false;
    visit(false);
}

// ---- keys as buttons

let shown = "";

function buttons() {
    const wanted = JSON.stringify(frame.buttons);
    if (wanted === shown) return;
    shown = wanted;
    element("keys").replaceChildren(...frame.buttons.map(([key, label], at) => {
        const button = document.createElement("button");
        // There is always a button for Esc.
        button.hidden = key === "Esc";
        button.textContent = label && key.length > 1 ? label : `${key} ${label}`.trim();
        button.onclick = () => {
            event({ press: at });
            element("canvas").focus();
        };
        return button;
    }));
    resized();
}

// ---- workers

const given = ([path]) => path.startsWith("course/") || path.startsWith("late/");
const parts = () => ({
    module,
    packs: [...packs.values()],
    files: [...files.files].filter(given).map(([path, file]) => [path, file.bytes]),
});
// The page draws at most once a frame, however many messages a worker sends.
const FRAME = 16;
const news = [];

function answered(answer) {
    if (news.push(answer) === 1) setTimeout(() => event(`{"worker":[${news.splice(0).join()}]}`), FRAME);
}

const kernels = new Helper(() => complete.then(parts), answered, (why) => event({ crashed: why }));
// Colours need no files. Without them, code is drawn in one colour.
const colours = new Helper(async () => ({ module, packs: [], files: [] }), answered, () => {});

// ---- progress

// The version of the stored file that this tab knows, and its bytes. `refused` says why the browser does not store it.
let version = 0, latest, refused = "";
let storing = false, again = false;

// False if the progress ends with the tab.
const lasting = () => storage.database !== null && !refused;

// Stores the files of the student's exercises again.
function restore() {
    for (const path of files.files.keys()) if (path.startsWith("work/")) written(path);
}

function written(path) {
    storage.change(path, () => files.files.get(path)?.bytes).catch((error) => say(String(error)));
}

async function keep() {
    again = storing;
    if (storing) return;
    storing = true;
    document.body.dataset.saving = "yes";
    const before = version;
    let why = "", wiped = false;
    try {
        const changed = await storage.change(PROGRESS, (stored) => {
            if (stored?.version > version) {
                tutor.give(stored.bytes);
                guarded((exports) => exports.open_progress(2));
            }
            // Another tab may have begun a new file.
            wiped = storage.database && (stored?.version ?? 0) < version;
            version = Math.max(version, stored?.version ?? 0) + 1;
            const image = guarded((exports) => tutor.take(exports.keep()));
            if (!image?.length) throw new Error("the page has failed");
            latest = image;
            return { version, bytes: latest };
        });
        if (changed) channel?.postMessage(version);
        if (wiped) restore();
        if (wiped) say(texts.wiped);
    } catch (error) {
        why = String(error?.message || error);
        version = before;
    }
    storing = false;
    refused = why;
    document.body.dataset.saving = again ? "yes" : "no";
    guarded((exports) => {
        tutor.give(why);
        exports.kept();
    });
    if (again) keep();
    else if (quit) carryOut.quit();
}

// Opens what another tab has stored. Stores nothing: the other tab would open that, and store again.
async function look() {
    const stored = (await storage.all().catch(() => new Map())).get(PROGRESS);
    // While this tab stores, it opens a newer file by itself.
    if (storing || !(stored?.version > version)) return;
    version = stored.version;
    latest = stored.bytes;
    tutor.give(latest);
    guarded((exports) => exports.open_progress(2));
}

if (channel) channel.onmessage = look;

async function exported() {
    if (!latest) await keep();
    // Another tab may have stored a newer one. If the browser refuses to store, the page has the only copy.
    const known = refused ? undefined : (await storage.all().catch(() => new Map())).get(PROGRESS);
    const bytes = known?.bytes ?? latest;
    if (bytes) download(PROGRESS, bytes);
}

// Every progress file begins with it.
const SQLITE = "SQLite format 3\0";

async function imported(file) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (new TextDecoder().decode(bytes.subarray(0, SQLITE.length)) !== SQLITE) return say(texts.no_progress);
    if (!confirm(texts.replace)) return;
    guarded((exports) => {
        tutor.give(bytes);
        exports.open_progress(1);
    });
}

function download(name, bytes) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// ---- keys, text, mouse

// Gives the keyboard to the field while the tutor takes text, so that an input method can compose; else to the canvas.
function follow() {
    if (plain || element("editor").open || element("limits").open) return;
    const here = document.activeElement;
    if (here && ![document.body, element("canvas"), element("field")].includes(here)) return;
    (frame.editing ? element("field") : element("canvas")).focus({ preventScroll: true });
}

// Keys with Ctrl that the tutor has while it takes text, and its function keys. All others stay the browser's.
const WITH_CTRL = "bdfopru";
const FUNCTIONS = ["F1", "F2", "F6", "F8"];

function pressed(e) {
    if (plain || e.metaKey || element("editor").open || element("limits").open) return;
    if (![document.body, element("canvas"), element("field")].includes(e.target)) return;
    const one = [...e.key].length === 1;
    hush();
    // The field has the letters, and the input method has its keys.
    if (frame.editing && (e.isComposing || e.keyCode === 229 || (one && !e.ctrlKey && !e.altKey))) return;
    if (e.ctrlKey && !(frame.editing && (!one || WITH_CTRL.includes(e.key.toLowerCase())))) return;
    // With Alt, a letter may have no character, for example Alt-N on a Mac.
    if (e.altKey && !/^(Key|Digit)/.test(e.code)) return;
    if (["Control", "Alt", "Shift"].includes(e.key) || (/^F\d/.test(e.key) && !FUNCTIONS.includes(e.key))) return;
    e.preventDefault();
    // Tab belongs to the tutor. Another F6 there is the browser's.
    if (e.key === "F6") return element("mode").focus();
    event({ key: { key: e.key, code: e.code, ctrl: e.ctrlKey, alt: e.altKey, shift: e.shiftKey } });
}

function typed() {
    const field = element("field"), text = field.value;
    field.value = "";
    field.classList.remove("composing");
    if (text !== "") event({ typed: text });
}

// Most rows that one movement of the wheel or a finger scrolls.
const FAR = 12;

// One event per row, because a list moves by one row per event.
function scroll(rows) {
    for (let left = Math.min(Math.abs(rows), FAR); left > 0; left--) event({ wheel: Math.sign(rows) });
}

function pointer() {
    const canvas = element("canvas");
    let from = null, moved = false, last = 0;
    canvas.addEventListener("pointerdown", (e) => {
        hush();
        from = screen.cell(e);
        moved = false;
        last = e.clientY;
        canvas.setPointerCapture(e.pointerId);
        screen.select(null);
    });
    canvas.addEventListener("pointermove", (e) => {
        if (!from) return;
        const to = screen.cell(e);
        moved ||= to.x !== from.x || to.y !== from.y;
        if (!moved) return;
        if (e.pointerType === "touch") {
            const rows = Math.trunc(((last - e.clientY) * screen.scale) / screen.height);
            if (rows !== 0) {
                last -= (rows * screen.height) / screen.scale;
                scroll(rows);
            }
        } else {
            screen.select([from, to]);
        }
    });
    canvas.addEventListener("pointerup", (e) => {
        if (from && !moved) event({ click: screen.cell(e) });
        from = null;
        follow();
    });
    // Two fingers enlarge the page.
    canvas.addEventListener("pointercancel", () => (from = null));
    let rest = 0;
    canvas.addEventListener("wheel", (e) => {
        e.preventDefault();
        rest += e.deltaMode === 0 ? (e.deltaY * screen.scale) / screen.height : e.deltaY;
        const rows = Math.trunc(rest);
        rest -= rows;
        scroll(rows);
    }, { passive: false });
    document.addEventListener("copy", (e) => {
        const text = screen.text();
        if (text === "" || plain) return;
        e.preventDefault();
        e.clipboardData.setData("text/plain", text);
    });
    document.addEventListener("paste", (e) => {
        if (plain || element("editor").open) return;
        e.preventDefault();
        event({ paste: e.clipboardData.getData("text/plain") });
    });
}

function listen() {
    document.addEventListener("keydown", pressed);
    const field = element("field");
    field.addEventListener("compositionstart", () => field.classList.add("composing"));
    field.addEventListener("compositionend", typed);
    field.addEventListener("input", (e) => !e.isComposing && typed());
    pointer();
    element("canvas").addEventListener("focus", follow);
    new ResizeObserver(resized).observe(element("stage"));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", ({ matches }) => {
        if (localGet("theme")) return;
        following = true;
        event({ theme: matches ? "dark" : "light" });
        following = false;
    });
    // The browser asks before it loses something.
    addEventListener("beforeunload", (e) => (storing || !lasting()) && (latest || drafts.size > 0) && e.preventDefault());
    addEventListener("popstate", arrive);
    element("export").onclick = exported;
    element("import").onclick = () => element("chosen").click();
    element("chosen").onchange = ({ target }) => {
        if (target.files[0]) imported(target.files[0]);
        target.value = "";
    };
    element("back").onclick = () => event({ key: { key: "Escape", code: "Escape", ctrl: false, alt: false, shift: false } });
    // The keyboard stays with the tutor.
    for (const name of ["back", "export", "import"]) {
        element(name).addEventListener("click", () => element(plain ? "line" : "canvas").focus());
    }
    element("mode").onclick = () => setPlain(!plain);
    element("about").onclick = () => element("limits").showModal();
    element("ask").onsubmit = (e) => {
        e.preventDefault();
        const line = element("line").value;
        element("line").value = "";
        event({ line });
    };
    element("keep").onclick = () => {
        const editor = element("editor");
        const text = element("source").value;
        event({ saved: { file: editor.dataset.file, text } });
        editor.dataset.saved = text;
        drafted();
        editor.close();
    };
    element("source").oninput = drafted;
    element("source").addEventListener("keydown", (e) => e.key === "Enter" && (e.ctrlKey || e.metaKey) && element("keep").click());
    element("drop").onclick = () => {
        element("source").value = element("editor").dataset.saved;
        drafted();
        element("source").focus();
    };
    element("editor").addEventListener("close", () => element("drop").hidden || say(texts.drafted));
    for (const dialog of document.querySelectorAll("dialog")) {
        dialog.addEventListener("close", () => element(plain ? "line" : "canvas").focus());
        dialog.querySelector(".close").onclick = () => dialog.close();
    }
}

// The part of an address after `#`. A typed link may have a bare `%`, for example `lane%4` or `lane%32`: what does not
// decode stays as it is, and so do letters, digits and control characters, which nobody encodes.
function linked(url) {
    return new URL(url).hash.slice(1).replace(/%[0-7][\da-f]|(%[89a-f][\da-f])+/gi, (part) => {
        const text = opened(() => decodeURIComponent(part));
        return text === null || /[\0-\x1f\da-z]/i.test(text) ? part : text;
    });
}

function resized() {
    if (plain) return;
    const stage = element("stage");
    const before = [screen.columns, screen.lines];
    const { columns, rows } = screen.fit(stage.clientWidth, stage.clientHeight);
    event({ resize: { columns, rows } });
    if (columns === before[0] && rows === before[1]) redraw();
}

const nameMode = () => (element("mode").textContent = plain ? texts.screen : texts.plain);

function setPlain(on) {
    plain = on;
    localPut("plain", on ? "yes" : "no");
    document.body.classList.toggle("plain", on);
    nameMode();
    event({ plain: on });
    if (on) element("line").focus();
    else resized();
}

// ---- start

// Bytes of the files that have been requested, and of those the ones that have arrived. A host that compresses files states
// fewer bytes than arrive.
let requested = 0, arrived = 0;

async function bytesOf(url) {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
    const bar = element("progress");
    requested += Number(answer.headers.get("Content-Length"));
    bar.hidden = false;
    const counted = new TransformStream({
        transform(part, out) {
            arrived += part.length;
            if (requested > 0) [bar.max, bar.value] = [requested, Math.min(arrived, requested)];
            out.enqueue(part);
        },
    });
    return new Response(answer.body.pipeThrough(counted));
}

// The module is stored compressed, because a plain host does not compress it.
async function compiled() {
    const { body } = await bytesOf("tutor.bin");
    const stream = body.pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compileStreaming(new Response(stream, { headers: { "Content-Type": "application/wasm" } }));
}

const loadedBytes = async (url) => new Uint8Array(await (await bytesOf(url)).arrayBuffer());

// Loads an archive that the module unpacks.
async function load(pack) {
    packs.set(pack, await loadedBytes(`${pack}.lzma`));
}

function unpack(pack) {
    guarded((exports) => {
        tutor.give(packs.get(pack));
        exports.unpack();
    });
}

// The files of an archive, by path. There may be none.
async function unpacked(url) {
    const archive = await loadedBytes(url);
    const text = (from, length) => new TextDecoder().decode(archive.subarray(from, from + length)).replace(/\0.*/s, "");
    const found = [];
    for (let at = 0; at + 512 <= archive.length && archive[at] !== 0;) {
        const length = parseInt(text(at + 124, 12), 8);
        found.push([text(at, 100), archive.slice(at + 512, at + 512 + length)]);
        at += 512 + Math.ceil(length / 512) * 512;
    }
    return found;
}

// Loads what the first screen does not need: the texts of other languages, and the packed PTX of variants and exercises.
// Workers wait for them.
let loaded = () => {};
const complete = new Promise((resolve) => (loaded = resolve));

async function late() {
    try {
        for (const language of LANGUAGES.filter((language) => !packs.has(language))) {
            await load(language);
            unpack(language);
        }
        for (const [path, bytes] of await unpacked("late.tar")) files.put(`late/${path}`, bytes);
    } catch (error) {
        say(`${texts.late} (${error})`);
    }
    loaded();
    event('"late"');
}

async function start() {
    const link = linked(location.href);
    opened(() => navigator.serviceWorker.register("sw.js").catch(() => {}));
    // Without its font, the page takes one of the system's.
    const fonts = Promise.allSettled(["", "bold "].map((style) => document.fonts.load(`${style}16px "Tutor Mono"`)));
    const opening = storage.open().catch(() => (storage.database = null));
    const first = ["first", ...LANGUAGES.filter((known) => known === language)];
    const loading = [compiled(), unpacked("course.tar"), ...first.map(load)];
    await opening;
    const found = await storage.all().catch(() => new Map());
    const [code, lessons] = await Promise.all(loading);
    module = code;
    files = new Files((path) => {
        if (path.startsWith("work/")) written(path);
    });
    for (const [path, bytes] of lessons) files.put(`course/${path}`, bytes);
    for (const [path, bytes] of found) if (path.startsWith("work/")) files.put(path, bytes);
    const ready = await instantiate(module, files, { send: (at, length) => inbox.push(ready.text(at, length)) });
    tutor = ready;
    await fonts;
    const stage = element("stage");
    const size = screen.fit(stage.clientWidth, stage.clientHeight);
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    document.body.classList.toggle("plain", plain);
    following = true;
    first.forEach(unpack);
    guarded((exports) => {
        tutor.give(JSON.stringify({
            lang: language,
            theme: localGet("theme") ?? (dark ? "dark" : "light"),
            ...size,
            motion: !matchMedia("(prefers-reduced-motion: reduce)").matches,
            plain,
            touch,
            course: lessons.length > 0,
        }));
        exports.begin();
        const progress = found.get(PROGRESS);
        version = progress?.version ?? 0;
        latest = progress?.bytes;
        tutor.give(progress?.bytes ?? new Uint8Array());
        exports.open_progress(0);
    });
    following = false;
    listen();
    element("opening").hidden = true;
    document.body.dataset.ready = "yes";
    if (link) arrive();
    if (plain) element("line").focus();
    follow();
    performance.mark("first-screen");
    late();
    if (checked) fetch("ready");
}

start().catch((error) => failed(String(error)));
