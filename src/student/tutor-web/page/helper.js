// A worker that starts with its first request. To stop it is to end it, because it cannot listen while it works.
export class Helper {
    // `parts` resolves to the module and its files. `answered` gets each answer, `crashed` the reason of an unexpected end.
    constructor(parts, answered, crashed) {
        Object.assign(this, { parts, answered, crashed });
    }

    ask(json) {
        if (!this.worker) this.start();
        if (this.waiting) this.waiting.push(json);
        else this.worker.postMessage({ ask: json });
    }

    start() {
        const worker = new Worker("worker.js", { type: "module" });
        // Requests that come before the worker has its files.
        this.waiting = [];
        this.worker = worker;
        worker.onmessage = ({ data }) => {
            // A message of a worker that was ended is too late.
            if (this.worker !== worker) return;
            if (data.crashed) this.lost(data.crashed);
            else this.answered(data.answer);
        };
        worker.onerror = (error) => this.worker === worker && this.lost(error.message || "error");
        this.parts().then((parts) => {
            if (this.worker !== worker) return;
            worker.postMessage(parts);
            this.waiting.forEach((ask) => worker.postMessage({ ask }));
            this.waiting = null;
        });
    }

    stop() {
        this.worker?.terminate();
        this.worker = undefined;
    }

    lost(why) {
        this.stop();
        this.crashed(why);
    }
}
