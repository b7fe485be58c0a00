# `matmul-tutor nvrtc`: NVIDIA's compiler for the tutor alone.

nvrtc-about = NVRTC { $release }, NVIDIA's compiler for CUDA C++, under NVIDIA's own licence: about 23 MB to fetch with { $installer }, and 60 MB in { $folder }.
nvrtc-ask = Fetch it? [y/N]
# What counts as yes: words, in small letters.
nvrtc-yes = y yes
nvrtc-declined = Nothing was fetched.
nvrtc-nobody-to-ask = Nobody is there to be asked whether it may be fetched.
nvrtc-nobody-to-ask-help = `{ $command }` does not ask.
nvrtc-progress = fetched and unpacked: { $mb } MB
nvrtc-installed = NVRTC { $release } compiles, and is found from now on: { $path }. A tutor that is open finds it when you edit or save.
nvrtc-already = NVRTC { $release } was there before, and compiles: { $path }
nvrtc-overruled = { $variable } is set, and the library that it names is taken instead.
nvrtc-removed = Removed { $path }.
nvrtc-not-there = Nothing is in { $path }.
nvrtc-not-ours = { $folder } has files that no installer of NVRTC puts there.
nvrtc-not-ours-help = Move them away.
nvrtc-busy = Another process is installing or removing it.
nvrtc-offline = NVRTC was not fetched, as { $installer } cannot reach the package index from here.
nvrtc-not-fetched = NVRTC was not fetched. { $installer } says: { $why }
nvrtc-does-not-work = What was fetched does not work, and was removed: { $why }
nvrtc-unwritten = NVRTC was not installed: { $why }.
nvrtc-no-library = no library of NVRTC is in { $folder }.
nvrtc-other-release = it is release { $release } and not { $pinned }.
nvrtc-no-installer = Neither uv nor a Python with pip or venv is here to fetch NVRTC with.
nvrtc-no-installer-help = Install one of them, or set MATMUL_TUTOR_NVRTC to the full path of a libnvrtc.so that is here.
nvrtc-not-here = NVIDIA has NVRTC { $release } as a Python wheel for Linux and Windows on x86-64 alone.
nvrtc-not-here-help = Where CUDA's toolkit is installed, its NVRTC is found; else set MATMUL_TUTOR_NVRTC to the full path of the library.
