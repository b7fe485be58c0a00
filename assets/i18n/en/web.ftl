# The tutor as a page in a browser.

web-no-gpu = a page cannot use CUDA
web-not-here = This does not work in a browser. Use the native program for it.
web-worker-crashed = The emulator ended unexpectedly: { $why }. The page has started a new one.
web-storage = the browser's storage
web-imported = The progress from the file is open now.
web-set-aside = The browser keeps the unreadable file under another name. The page begins a new one.
web-no-place = There is no place “{ $link }” in this course.
web-not-begun = You have not written anything yet. The browser will store your file, and e opens it in an editor.
web-elsewhere = native program
web-about-elsewhere = A page cannot judge this exercise. The native program can.
web-no-compiler = This exercise needs the native program, because a page has no compiler for CUDA C++. Download the exercise's directory and unpack it. Write your kernel in its file. Next to the directory, `matmul-tutor exercise check { $id }` judges it.
web-do-download = { $enter } downloads the files
web-do-elsewhere = Needs the native program
web-downloaded = Your browser saves { $file }. Unpack it, and continue in the native program.
web-replace = Replace the progress in this browser by the file?
web-export = Export progress
web-import = Import progress
web-plain = Text mode
web-screen = Screen mode
web-about = Limits of this page
web-back = Back
web-field = Text for the tutor
web-no-progress = This file is not a progress file. Nothing was changed.
web-nothing-changed = Nothing was changed.
web-drafted = The editor keeps your text as a draft. It is not saved yet. Open the editor again to continue.
web-drop = Back to the saved text
web-save = Save and check
web-close = Close
web-quit = You can close this tab, or press a key to continue.
web-line = Command, or the number of a row; ? lists the commands
web-broken = The page has failed. Your progress is stored. Reload the page to continue. The reason:
web-unsaved = The page has failed, and the browser does not store your progress. Export it before you reload the page. The reason:
web-memory = The browser does not let this page store anything. Your progress lasts until you close the tab. Export it before.
web-wiped = The browser's copy of your progress was deleted while the page was open. The page has stored it again.
web-late = The kernels of exercises and of variants could not be loaded. Reload the page when the connection works.
web-canvas = The tutor draws its screen here. With a screen reader, use the text mode: F6 leads to its button.
web-shared = Another tab has changed your progress. This tab shows it, too.
web-limits =
    This is the same tutor as the native program: course, screens, keys, quizzes, progress file. The emulator runs the kernels here, on your processor. These things need the native program:
    • times on your own GPU, and cuBLAS next to them
    • exercises in CUDA C++: the page has no compiler. It offers the directory as a download.
    • commands such as emulate, race, bench, grade and check; preview of a course while you write it
    • your own editor
    { "" }
    Your browser keeps keys such as Ctrl-N, Ctrl-T and Ctrl-W for itself, so this page uses Alt where a terminal uses Ctrl: Alt-N goes to the next question. Drag with the mouse to select text; Ctrl-C copies it. F6 moves the focus from the tutor's screen to the button of the text mode. On a screen for fingers, the keys are buttons.
    { "" }
    The page sends nothing to anyone. Your progress is in this browser, for this address, and other pages at this address can read it. Export it to keep it, or to continue in the native program: put the file into the directory that `matmul-tutor doctor` shows.

# `matmul-tutor course web`.
web-no-page = The files of the page are missing.
web-no-page-help = In the source tree, `scripts/release/web dist/web` builds them. Then name their directory: `--page dist/web`.
web-not-a-page = it has no { $file } with a version
web-long-name = A path of the course is longer than 100 characters.
web-not-written = The page cannot be written to { $dir }: { $why }
web-foreign = the directory has other files
web-written = Wrote the page to { $dir }: { $files } files, { $kib } KiB. Put the directory on any web host.
web-opens = The page opens in a browser.
web-opens-not = The page does not open: { $why }
web-silent = The page did not open within { $seconds } s.
web-no-browser = No browser was found.
web-no-browser-help = Install Chromium or Firefox, or name the program with `--browser`.
