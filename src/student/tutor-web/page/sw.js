// Keeps the page's files, so that it opens without a network. A new version serves the tabs that open after the old ones are
// closed, so that a page never meets files of another version.
const VERSION = "@VERSION@";
const FILES = ["./", ..."@FILES@".split(" ")];

self.addEventListener("install", (event) => {
    event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES)));
});

self.addEventListener("activate", (event) => {
    const scope = self.registration.scope;
    const old = async () => {
        for (const name of await caches.keys()) {
            if (name !== VERSION && name.startsWith("matmul-tutor ") && (await (await caches.open(name)).match(scope))) await caches.delete(name);
        }
    };
    event.waitUntil(old());
});

self.addEventListener("fetch", (event) => {
    const { request } = event;
    if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
    const answer = async () => (await (await caches.open(VERSION)).match(request, { ignoreSearch: true })) ?? fetch(request);
    event.respondWith(answer());
});
