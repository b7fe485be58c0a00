// The part of WASI (preview 1) that the module uses: clock, randomness, standard error, and files in memory.
// All numbers and structures: https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md

const OK = 0, BAD_FILE = 8, EXISTS = 20, INVALID = 28, NOT_FOUND = 44, NOT_SUPPORTED = 58;
const DIRECTORY = 3, REGULAR = 4;
const CREATE = 1, EXCLUSIVE = 4, TRUNCATE = 8;

// Files by path, for example `work/my-exercise/kernel.ptx`. `changed` gets the path of each file that was written.
export class Files {
    constructor(changed = () => {}) {
        this.files = new Map();
        this.folders = new Set([""]);
        this.changed = changed;
    }

    put(path, bytes) {
        const folders = path.split("/").slice(0, -1);
        folders.forEach((_, at) => this.folders.add(folders.slice(0, at + 1).join("/")));
        this.files.set(path, { bytes, time: BigInt(Date.now()) * 1_000_000n });
    }

    kind(path) {
        return this.files.has(path) ? REGULAR : this.folders.has(path) ? DIRECTORY : 0;
    }

    names(folder) {
        const inside = (path) => (folder === "" ? path : path.startsWith(folder + "/") ? path.slice(folder.length + 1) : "");
        const names = [...this.files.keys(), ...this.folders].map(inside);
        return names.filter((name) => name !== "" && !name.includes("/"));
    }
}

// Resolves `.` and `..`; the root is its own parent.
function normal(base, path) {
    const parts = base === "" ? [] : base.split("/");
    for (const part of path.split("/")) {
        if (part === "..") parts.pop();
        else if (part !== "" && part !== ".") parts.push(part);
    }
    return parts.join("/");
}

// Compiles nothing: instantiates a module. `page` gets the module's own imports.
export async function instantiate(module, files, page) {
    let memory;
    let errors = "";
    const open = new Map([[3, { path: "", at: 0 }]]);
    let next = 4;
    const view = () => new DataView(memory.buffer);
    const bytes = (at, length) => new Uint8Array(memory.buffer, at, length);
    const text = (at, length) => new TextDecoder().decode(bytes(at, length));
    const pieces = (at, count) => Array.from({ length: count }, (_, index) => {
        const data = view();
        return bytes(data.getUint32(at + 8 * index, true), data.getUint32(at + 8 * index + 4, true));
    });
    const stat = (path, at) => {
        const kind = files.kind(path);
        if (kind === 0) return NOT_FOUND;
        const file = files.files.get(path), data = view();
        bytes(at, 64).fill(0);
        // Each path is an inode of its own.
        let inode = 7n;
        for (const letter of path) inode = (inode * 31n + BigInt(letter.codePointAt(0))) & 0xffff_ffff_ffffn;
        data.setBigUint64(at + 8, inode, true);
        data.setUint8(at + 16, kind);
        data.setBigUint64(at + 24, 1n, true);
        data.setBigUint64(at + 32, BigInt(file?.bytes.length ?? 0), true);
        for (const place of [40, 48, 56]) data.setBigUint64(at + place, file?.time ?? 0n, true);
        return OK;
    };
    const write = (handle, from) => {
        const file = files.files.get(handle.path);
        for (const piece of from) {
            const end = handle.at + piece.length;
            if (end > file.bytes.length) {
                const longer = new Uint8Array(end);
                longer.set(file.bytes);
                file.bytes = longer;
            }
            file.bytes.set(piece, handle.at);
            handle.at = end;
        }
        file.time = BigInt(Date.now()) * 1_000_000n;
        handle.written = true;
    };
    const known = {
        clock_time_get(id, _precision, at) {
            const now = id === 0 ? performance.timeOrigin + performance.now() : performance.now();
            view().setBigUint64(at, BigInt(Math.round(now * 1e6)), true);
            return OK;
        },
        random_get(at, length) {
            for (let from = 0; from < length; from += 65536) {
                crypto.getRandomValues(bytes(at + from, Math.min(65536, length - from)));
            }
            return OK;
        },
        environ_sizes_get(count, size) {
            view().setUint32(count, 0, true);
            view().setUint32(size, 0, true);
            return OK;
        },
        environ_get: () => OK,
        sched_yield: () => OK,
        proc_exit(code) {
            throw new Error(`exit ${code}`);
        },
        fd_prestat_get(fd, at) {
            if (fd !== 3) return BAD_FILE;
            view().setUint32(at, 0, true);
            view().setUint32(at + 4, 1, true);
            return OK;
        },
        fd_prestat_dir_name(_fd, at) {
            bytes(at, 1)[0] = 47;
            return OK;
        },
        fd_fdstat_get(fd, at) {
            const handle = open.get(fd);
            if (!handle && fd > 2) return BAD_FILE;
            bytes(at, 24).fill(0);
            view().setUint8(at, handle ? files.kind(handle.path) : 2);
            bytes(at + 8, 16).fill(255);
            return OK;
        },
        fd_filestat_get(fd, at) {
            const handle = open.get(fd);
            return handle ? stat(handle.path, at) : BAD_FILE;
        },
        path_filestat_get(fd, _flags, path, length, at) {
            return stat(normal(open.get(fd).path, text(path, length)), at);
        },
        path_open(fd, _look, path, length, flags, _rights, _inherited, _status, at) {
            const name = normal(open.get(fd).path, text(path, length));
            const kind = files.kind(name);
            if (kind === 0 && !(flags & CREATE)) return NOT_FOUND;
            if (kind !== 0 && flags & EXCLUSIVE) return EXISTS;
            if (kind === 0 || (kind === REGULAR && flags & TRUNCATE)) files.put(name, new Uint8Array());
            open.set(next, { path: name, at: 0, written: kind === 0 || Boolean(flags & TRUNCATE) });
            view().setUint32(at, next++, true);
            return OK;
        },
        path_create_directory(fd, path, length) {
            const name = normal(open.get(fd).path, text(path, length));
            if (files.kind(name)) return EXISTS;
            files.folders.add(name);
            return OK;
        },
        path_rename(fd, from, fromLength, other, to, toLength) {
            const before = normal(open.get(fd).path, text(from, fromLength));
            const after = normal(open.get(other).path, text(to, toLength));
            const file = files.files.get(before);
            if (!file) return NOT_FOUND;
            files.files.delete(before);
            files.put(after, file.bytes);
            files.changed(before);
            files.changed(after);
            return OK;
        },
        fd_read(fd, at, count, done) {
            const handle = open.get(fd), file = files.files.get(handle?.path);
            if (!file) return BAD_FILE;
            let read = 0;
            for (const piece of pieces(at, count)) {
                const part = file.bytes.subarray(handle.at, handle.at + piece.length);
                piece.set(part);
                handle.at += part.length;
                read += part.length;
            }
            view().setUint32(done, read, true);
            return OK;
        },
        fd_write(fd, at, count, done) {
            const from = pieces(at, count);
            const handle = open.get(fd);
            if (handle) write(handle, from);
            else if (fd === 1 || fd === 2) errors = (errors + from.map((piece) => new TextDecoder().decode(piece)).join("")).slice(-4000);
            else return BAD_FILE;
            view().setUint32(done, from.reduce((sum, piece) => sum + piece.length, 0), true);
            return OK;
        },
        fd_seek(fd, offset, whence, at) {
            const handle = open.get(fd), file = files.files.get(handle?.path);
            if (!file) return BAD_FILE;
            const place = Number(offset) + [0, handle.at, file.bytes.length][whence];
            if (place < 0) return INVALID;
            handle.at = place;
            view().setBigUint64(at, BigInt(place), true);
            return OK;
        },
        fd_close(fd) {
            const handle = open.get(fd);
            if (!handle) return BAD_FILE;
            open.delete(fd);
            if (handle.written) files.changed(handle.path);
            return OK;
        },
        fd_readdir(fd, at, length, cookie, used) {
            const handle = open.get(fd);
            if (!handle) return BAD_FILE;
            let place = 0;
            for (const [index, name] of files.names(handle.path).entries()) {
                if (BigInt(index) < cookie) continue;
                const entry = new Uint8Array(24 + new TextEncoder().encode(name).length);
                const data = new DataView(entry.buffer);
                data.setBigUint64(0, BigInt(index + 1), true);
                data.setUint32(16, entry.length - 24, true);
                data.setUint8(20, files.kind(normal(handle.path, name)));
                entry.set(new TextEncoder().encode(name), 24);
                const part = entry.subarray(0, length - place);
                bytes(at + place, part.length).set(part);
                place += part.length;
                // A buffer that is full says that there are more.
                if (place === length) break;
            }
            view().setUint32(used, place, true);
            return OK;
        },
    };
    const imports = {};
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
        imports[from] ??= {};
        imports[from][name] = (from === "page" ? page : known)[name] ?? (() => NOT_SUPPORTED);
    }
    const { exports } = await WebAssembly.instantiate(module, imports);
    memory = exports.memory;
    exports._initialize?.();
    return {
        exports,
        text,
        // Writes bytes to the module's buffer.
        give(data) {
            const from = typeof data === "string" ? new TextEncoder().encode(data) : data;
            bytes(exports.room(from.length), from.length).set(from);
        },
        // Copies bytes of the module's buffer.
        take: (length) => bytes(exports.buffer(), length).slice(),
        // What the module has written to standard error, such as a panic's message.
        errors: () => errors,
    };
}
