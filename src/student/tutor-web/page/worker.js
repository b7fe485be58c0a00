// Runs the module in a worker: the emulator, or the colours of code.
import { Files, instantiate } from "./wasi.js";

// The module, once it is ready.
let tutor;

async function begin({ module, packs, files }) {
    const memory = new Files();
    for (const [path, bytes] of files) memory.put(path, bytes);
    const ready = await instantiate(module, memory, {
        send: (at, length) => postMessage({ answer: ready.text(at, length) }),
    });
    for (const pack of packs) {
        ready.give(pack);
        ready.exports.unpack();
    }
    return ready;
}

onmessage = async ({ data }) => {
    try {
        if (data.module) {
            tutor = begin(data);
            return;
        }
        const ready = await tutor;
        try {
            ready.give(data.ask);
            ready.exports.answer();
        } catch (error) {
            postMessage({ crashed: ready.errors().trim() || String(error) });
        }
    } catch (error) {
        postMessage({ crashed: String(error) });
    }
};
