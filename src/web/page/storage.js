// The browser's storage: the progress file, and the files of the student's exercises. Two tabs change them in turn.

const NAME = "matmul-tutor", FILES = "files";
export const PROGRESS = "progress.sqlite3";

export class Storage {
    // Opens the database. Without one, everything lasts until the tab is closed.
    async open() {
        try {
            this.database = await promised(Object.assign(indexedDB.open(NAME, 1), {
                onupgradeneeded({ target }) {
                    target.result.createObjectStore(FILES);
                },
            }));
            // Another tab may delete it.
            this.database.onversionchange = () => this.database.close();
        } catch {
            this.database = null;
        }
        return this.database !== null;
    }

    // All stored files by path.
    async all() {
        if (!this.database) return new Map();
        const store = this.database.transaction(FILES).objectStore(FILES);
        const [paths, files] = await Promise.all([promised(store.getAllKeys()), promised(store.getAll())]);
        return new Map(paths.map((path, at) => [path, files[at]]));
    }

    // Replaces a file by what `change` makes of it, or deletes it. Rejects if the browser does not store the result.
    change(path, change) {
        if (!this.database) return Promise.resolve(change(undefined));
        return new Promise((resolve, reject) => {
            const refused = (error) => reject(error ?? new Error("the browser has stopped the transaction"));
            const transaction = this.database.transaction(FILES, "readwrite", { durability: "strict" });
            const store = transaction.objectStore(FILES);
            let value, failure;
            transaction.oncomplete = () => resolve(value);
            transaction.onabort = () => refused(failure ?? transaction.error);
            store.get(path).onsuccess = ({ target }) => {
                try {
                    value = change(target.result);
                    if (value === undefined) store.delete(path);
                    else store.put(value, path);
                } catch (error) {
                    failure = error;
                    transaction.abort();
                }
            };
        });
    }
}

function promised(request) {
    return new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
        request.onblocked = () => reject(new Error("blocked"));
    });
}
