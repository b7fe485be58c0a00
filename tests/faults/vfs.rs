//! A layer between SQLite and the system that fails a call, or cuts the power at one.
//!
//! It is SQLite's own file system with its calls counted. What was written and not synchronised is remembered; after a
//! cut, a part of it reaches the disk: nothing, everything, or some of the sectors.
#![allow(unsafe_code, reason = "SQLite takes a file system only through its C interface")]

use crate::support::entries;
use rusqlite::ffi;
use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::MaybeUninit;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// The unit that a disk writes completely or not at all.
const SECTOR: usize = 512;

/// A kind of call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Call {
    Open,
    Delete,
    Write,
    Sync,
    Truncate,
    ShmMap,
    ShmLock,
}

/// The failure at the chosen call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The call fails once.
    Once,
    /// The call and all later calls fail.
    FromThenOn,
    /// The disk is full: this call and all that need space fail.
    Full,
    /// The power goes: as `FromThenOn`, and what was not synchronised is lost or torn ([`Disk::power_up`]).
    Cut,
}

/// How much of the unsynchronised data reaches the disk.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rest {
    Nothing,
    Everything,
    /// Some sectors, drawn by a seed.
    Torn(u64),
}

/// A file as the disk is sure to have it, and what was done to it since.
#[derive(Debug, Default, Clone)]
struct Image {
    durable: Vec<u8>,
    /// True if its name is on the disk.
    named: bool,
    /// True if it was deleted. The name may still be on the disk.
    deleted: bool,
    pending: Vec<Pending>,
}

#[derive(Debug, Clone)]
enum Pending {
    Write(usize, Vec<u8>),
    Length(usize),
}

/// The disk below a directory.
#[derive(Debug, Default)]
pub(crate) struct Disk {
    dir: PathBuf,
    /// Number of calls so far, by kind.
    pub(crate) calls: BTreeMap<Call, u64>,
    count: u64,
    /// The call that fails, from 1; 0 if none does.
    at: u64,
    fault: Option<Fault>,
    broken: bool,
    files: BTreeMap<PathBuf, Image>,
}

/// The disks of the directories that are armed. Each test has its own.
static DISKS: Mutex<Vec<Disk>> = Mutex::new(Vec::new());

fn disks() -> MutexGuard<'static, Vec<Disk>> {
    DISKS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `act` with the disk that has `path`, if one is armed.
fn on_disk<T>(path: &Path, act: impl FnOnce(&mut Disk) -> T) -> Option<T> {
    disks().iter_mut().find(|disk| path.starts_with(&disk.dir)).map(act)
}

/// From now on, the `at`-th call for a file in `dir` fails so; 0 only counts.
pub(crate) fn arm(dir: &Path, at: u64, fault: Fault) {
    install();
    disks().push(Disk { dir: dir.to_owned(), at, fault: Some(fault), ..Disk::default() });
}

/// Takes the disk of `dir` away: nothing fails there any more.
pub(crate) fn take(dir: &Path) -> Disk {
    let mut disks = disks();
    let at = disks.iter().position(|disk| disk.dir == dir).expect("armed");
    disks.swap_remove(at)
}

impl Disk {
    /// The power is back: writes to the empty directory `to` what the disk has. Nothing has the files open any more.
    pub(crate) fn power_up(&self, to: &Path, rest: Rest) {
        // After a restart, shared memory does not exist as a file.
        let lasts = |path: &Path| path.extension().is_none_or(|extension| extension != "sqlite3-shm");
        for path in entries(&self.dir).iter().filter(|path| lasts(path) && !self.files.contains_key(*path)) {
            std::fs::copy(path, to.join(path.file_name().unwrap())).unwrap();
        }
        for (path, image) in self.files.iter().filter(|(path, _)| lasts(path)) {
            if let Some(bytes) = image.clone().after(rest) {
                std::fs::write(to.join(path.file_name().unwrap()), bytes).unwrap();
            }
        }
    }
}

impl Image {
    fn after(mut self, rest: Rest) -> Option<Vec<u8>> {
        let mut draw = 0;
        let mut reaches = || match rest {
            Rest::Nothing => false,
            Rest::Everything => true,
            Rest::Torn(seed) => {
                draw += 1;
                mixed(seed.wrapping_mul(1_000_003).wrapping_add(draw)) & 1 == 0
            }
        };
        if !self.named && !reaches() {
            return None;
        }
        for pending in &self.pending {
            match pending {
                Pending::Write(at, bytes) => {
                    let mut from = 0;
                    while from < bytes.len() {
                        // Up to the next border of a sector on the disk.
                        let to = bytes.len().min((at + from) / SECTOR * SECTOR + SECTOR - at);
                        if reaches() {
                            put(&mut self.durable, at + from, &bytes[from..to]);
                        }
                        from = to;
                    }
                }
                Pending::Length(length) if reaches() => self.durable.resize(*length, 0),
                Pending::Length(_) => {}
            }
        }
        Some(self.durable)
    }

    fn sync(&mut self) {
        for pending in std::mem::take(&mut self.pending) {
            match pending {
                Pending::Write(at, bytes) => put(&mut self.durable, at, &bytes),
                Pending::Length(length) => self.durable.resize(length, 0),
            }
        }
        self.named = true;
    }
}

fn put(file: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    file.resize(file.len().max(at + bytes.len()), 0);
    file[at..at + bytes.len()].copy_from_slice(bytes);
}

/// The finaliser of `SplitMix64`.
fn mixed(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Counts a call for a file and says whether it fails.
fn fails(path: &Path, call: Call) -> bool {
    let failed = on_disk(path, |disk| {
        disk.count += 1;
        *disk.calls.entry(call).or_default() += 1;
        let now = disk.count == disk.at;
        disk.broken |= now;
        match disk.fault {
            Some(Fault::Once) => now,
            Some(Fault::Full) => disk.broken && matches!(call, Call::Write | Call::Truncate | Call::ShmMap),
            Some(Fault::FromThenOn | Fault::Cut) => disk.broken,
            None => false,
        }
    });
    failed.unwrap_or(false)
}

fn change(path: &Path, change: impl FnOnce(&mut Image)) {
    on_disk(path, |disk| {
        if disk.fault == Some(Fault::Cut) {
            change(disk.files.entry(path.to_owned()).or_default());
        }
    });
}

/// A file of ours; the system's own follows it in memory.
#[repr(C)]
struct File {
    base: ffi::sqlite3_file,
    path: *mut PathBuf,
}

/// The system's file behind one of ours.
///
/// # Safety
/// `file` must have been opened by [`open`], or be being opened by it.
unsafe fn real(file: *mut ffi::sqlite3_file) -> *mut ffi::sqlite3_file {
    // SAFETY: SQLite gives room for `szOsFile` bytes, ours and the system's; ours is a multiple of its alignment.
    unsafe { file.cast::<File>().add(1).cast() }
}

/// # Safety
/// As [`real`], for a file that was opened.
unsafe fn path<'a>(file: *mut ffi::sqlite3_file) -> &'a Path {
    // SAFETY: set by `open` and freed by `close`, after which SQLite makes no call.
    unsafe { &*(*file.cast::<File>()).path }
}

static INSTALL: Once = Once::new();
static mut SYSTEM: *mut ffi::sqlite3_vfs = std::ptr::null_mut();
static mut OURS: MaybeUninit<ffi::sqlite3_vfs> = MaybeUninit::uninit();
static mut METHODS: MaybeUninit<ffi::sqlite3_io_methods> = MaybeUninit::uninit();

fn install() {
    INSTALL.call_once(|| {
        // SAFETY: once, before anything is opened through it; the statics are not written again. The default file
        // system lives as long as the process.
        unsafe {
            ffi::sqlite3_initialize();
            SYSTEM = ffi::sqlite3_vfs_find(std::ptr::null());
            let mut ours = *SYSTEM;
            ours.zName = c"faulty".as_ptr();
            ours.pNext = std::ptr::null_mut();
            ours.szOsFile += size_of::<File>() as c_int;
            ours.xOpen = Some(open);
            ours.xDelete = Some(delete);
            (&raw mut OURS).cast::<ffi::sqlite3_vfs>().write(ours);
            (&raw mut METHODS).cast::<ffi::sqlite3_io_methods>().write(ffi::sqlite3_io_methods {
                iVersion: 2,
                xClose: Some(close),
                xRead: Some(read),
                xWrite: Some(write),
                xTruncate: Some(truncate),
                xSync: Some(sync),
                xFileSize: Some(file_size),
                xLock: Some(lock),
                xUnlock: Some(unlock),
                xCheckReservedLock: Some(check_reserved_lock),
                xFileControl: Some(file_control),
                xSectorSize: Some(sector_size),
                xDeviceCharacteristics: Some(device_characteristics),
                xShmMap: Some(shm_map),
                xShmLock: Some(shm_lock),
                xShmBarrier: Some(shm_barrier),
                xShmUnmap: Some(shm_unmap),
                xFetch: None,
                xUnfetch: None,
            });
            assert_eq!(ffi::sqlite3_vfs_register((&raw mut OURS).cast(), 1), ffi::SQLITE_OK);
        }
    });
}

/// # Safety
/// Called by SQLite, with room for a file of ours.
unsafe extern "C" fn open(
    _: *mut ffi::sqlite3_vfs,
    name: ffi::sqlite3_filename,
    file: *mut ffi::sqlite3_file,
    flags: c_int,
    out: *mut c_int,
) -> c_int {
    // SAFETY: a name is a string or null for a temporary file; the system opens into the room behind ours.
    unsafe {
        (*file).pMethods = std::ptr::null();
        let path =
            if name.is_null() { PathBuf::new() } else { PathBuf::from(&*CStr::from_ptr(name).to_string_lossy()) };
        if fails(&path, Call::Open) {
            return ffi::SQLITE_CANTOPEN;
        }
        let there = path.exists();
        let before = std::fs::read(&path).unwrap_or_default();
        let system = &*SYSTEM;
        let Some(open) = system.xOpen else { return ffi::SQLITE_MISUSE };
        let code = open(SYSTEM, name, real(file), flags, out);
        if code != ffi::SQLITE_OK {
            return code;
        }
        change(&path, |image| {
            image.deleted = false;
            if image.durable.is_empty() && image.pending.is_empty() {
                (image.durable, image.named) = (before, there);
            }
        });
        (*file.cast::<File>()).path = Box::into_raw(Box::new(path));
        (*file).pMethods = (&raw const METHODS).cast();
        ffi::SQLITE_OK
    }
}

/// # Safety
/// Called by SQLite with a name.
unsafe extern "C" fn delete(_: *mut ffi::sqlite3_vfs, name: *const c_char, sync: c_int) -> c_int {
    // SAFETY: the name is a string; the call goes to the system as it came.
    unsafe {
        let path = PathBuf::from(&*CStr::from_ptr(name).to_string_lossy());
        if fails(&path, Call::Delete) {
            return ffi::SQLITE_IOERR_DELETE;
        }
        // Without a synchronised directory, the name may still be there after a cut: `durable` stays as it is.
        change(&path, |image| {
            image.pending.clear();
            image.deleted = true;
        });
        (*SYSTEM).xDelete.map_or(ffi::SQLITE_MISUSE, |delete| delete(SYSTEM, name, sync))
    }
}

/// Hands a call to the system's file.
macro_rules! on_real {
    ($file:ident, $method:ident $(, $argument:expr)*) => {{
        // SAFETY: SQLite calls this for a file that `open` has opened, and its arguments go on as they came.
        unsafe {
            let real = real($file);
            (*(*real).pMethods).$method.map(|method| method(real $(, $argument)*))
        }
    }};
}

/// Functions that only hand their call to the system's file, with the code for a file that lacks it.
macro_rules! handed_on {
    ($($name:ident = $method:ident($($argument:ident: $kind:ty),*) or $without:expr;)*) => {
        $(unsafe extern "C" fn $name(file: *mut ffi::sqlite3_file $(, $argument: $kind)*) -> c_int {
            on_real!(file, $method $(, $argument)*).unwrap_or($without)
        })*
    };
}

handed_on! {
    read = xRead(to: *mut c_void, count: c_int, at: i64) or ffi::SQLITE_IOERR;
    file_size = xFileSize(size: *mut i64) or ffi::SQLITE_IOERR;
    lock = xLock(level: c_int) or ffi::SQLITE_IOERR;
    unlock = xUnlock(level: c_int) or ffi::SQLITE_IOERR;
    check_reserved_lock = xCheckReservedLock(out: *mut c_int) or ffi::SQLITE_IOERR;
    file_control = xFileControl(op: c_int, argument: *mut c_void) or ffi::SQLITE_NOTFOUND;
    sector_size = xSectorSize() or SECTOR as c_int;
    shm_unmap = xShmUnmap(delete: c_int) or ffi::SQLITE_OK;
}

unsafe extern "C" fn close(file: *mut ffi::sqlite3_file) -> c_int {
    let code = on_real!(file, xClose).unwrap_or(ffi::SQLITE_OK);
    // SAFETY: made by `open`; SQLite calls this once, and nothing afterwards.
    unsafe {
        drop(Box::from_raw((*file.cast::<File>()).path));
        (*file).pMethods = std::ptr::null();
    }
    code
}

unsafe extern "C" fn write(file: *mut ffi::sqlite3_file, from: *const c_void, count: c_int, at: i64) -> c_int {
    // SAFETY: `file` is open, and SQLite gives `count` bytes.
    let (path, bytes) = unsafe { (path(file), std::slice::from_raw_parts(from.cast::<u8>(), count as usize)) };
    if fails(path, Call::Write) {
        let full = on_disk(path, |disk| disk.fault) == Some(Some(Fault::Full));
        // A part of it may be there.
        let _ = on_real!(file, xWrite, from, count / 2, at);
        change(path, |image| image.pending.push(Pending::Write(at as usize, bytes[..bytes.len() / 2].to_vec())));
        return if full { ffi::SQLITE_FULL } else { ffi::SQLITE_IOERR_WRITE };
    }
    change(path, |image| image.pending.push(Pending::Write(at as usize, bytes.to_vec())));
    on_real!(file, xWrite, from, count, at).unwrap_or(ffi::SQLITE_IOERR)
}

unsafe extern "C" fn truncate(file: *mut ffi::sqlite3_file, length: i64) -> c_int {
    // SAFETY: `file` is open.
    let path = unsafe { path(file) };
    if fails(path, Call::Truncate) {
        return ffi::SQLITE_IOERR_TRUNCATE;
    }
    change(path, |image| image.pending.push(Pending::Length(length as usize)));
    on_real!(file, xTruncate, length).unwrap_or(ffi::SQLITE_IOERR)
}

unsafe extern "C" fn sync(file: *mut ffi::sqlite3_file, _: c_int) -> c_int {
    // SAFETY: `file` is open.
    let path = unsafe { path(file) };
    if fails(path, Call::Sync) {
        return ffi::SQLITE_IOERR_FSYNC;
    }
    // This file system remembers what is safely on the disk, so a sync does not have to wait for the real disk.
    let mut new = false;
    change(path, |image| {
        new = !image.named;
        image.sync();
    });
    if new {
        // With a new journal or log SQLite synchronises the directory, too: what was deleted in it is.
        on_disk(path, |disk| disk.files.retain(|_, image| !image.deleted));
    }
    ffi::SQLITE_OK
}

/// Nothing is promised: neither whole writes, nor that bytes beside a write stay as they are.
unsafe extern "C" fn device_characteristics(_: *mut ffi::sqlite3_file) -> c_int {
    0
}

unsafe extern "C" fn shm_map(
    file: *mut ffi::sqlite3_file,
    page: c_int,
    size: c_int,
    extend: c_int,
    out: *mut *mut c_void,
) -> c_int {
    // SAFETY: `file` is open.
    if fails(unsafe { path(file) }, Call::ShmMap) {
        return ffi::SQLITE_IOERR_SHMMAP;
    }
    on_real!(file, xShmMap, page, size, extend, out).unwrap_or(ffi::SQLITE_IOERR_SHMMAP)
}

unsafe extern "C" fn shm_lock(file: *mut ffi::sqlite3_file, offset: c_int, count: c_int, flags: c_int) -> c_int {
    // Taking a lock can fail, but releasing it cannot.
    // SAFETY: `file` is open.
    if flags & ffi::SQLITE_SHM_LOCK != 0 && fails(unsafe { path(file) }, Call::ShmLock) {
        return ffi::SQLITE_IOERR_SHMLOCK;
    }
    on_real!(file, xShmLock, offset, count, flags).unwrap_or(ffi::SQLITE_IOERR_SHMLOCK)
}

unsafe extern "C" fn shm_barrier(file: *mut ffi::sqlite3_file) {
    let _ = on_real!(file, xShmBarrier);
}
