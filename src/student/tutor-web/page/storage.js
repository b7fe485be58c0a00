// The browser's storage: the progress file, and the files of the student's exercises. Two tabs change them in turn.

const NAME = "matmul-tutor", FILES = "files";
export const PROGRESS = "progress.sqlite3";

export class Storage {
    // Opens the database. Rejects if the browser denies one; then everything lasts until the tab is closed.
    async open() {
        const database = await promised(Object.assign(indexedDB.open(NAME, 1), {
            onupgradeneeded({ target }) {
                target.result.createObjectStore(FILES);
            },
        }));
        // Another tab may delete it.
        database.onversionchange = () => database.close();
        this.database = database;
    }

    // Begins a transaction. The database may be closed, for example because the student has deleted the site's data.
    async begin(mode) {
        const transaction = () => this.database.transaction(FILES, mode, { durability: "strict" });
        try {
            return transaction();
        } catch {
            await this.open();
            return transaction();
        }
    }

    // All stored files by path.
    async all() {
        if (!this.database) return new Map();
        const store = (await this.begin("readonly")).objectStore(FILES);
        const [paths, files] = await Promise.all([promised(store.getAllKeys()), promised(store.getAll())]);
        return new Map(paths.map((path, at) => [path, files[at]]));
    }

    // Replaces a file by what `change` makes of it, or deletes it. Rejects if the browser does not store the result.
    async change(path, change) {
        if (!this.database) return change(undefined);
        const transaction = await this.begin("readwrite");
        return new Promise((resolve, reject) => {
            const refused = (error) => reject(error ?? new Error("the browser has stopped the transaction"));
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
