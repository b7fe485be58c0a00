# `matmul-tutor nvrtc`: NVIDIA's compiler, installed only for the tutor.

nvrtc-about = NVRTC { $release } is NVIDIA's compiler for CUDA C++, under NVIDIA's licence. CUDA's headers and nvJitLink 12.9, which has NVIDIA's assembler, come with it. { $installer } downloads about 87 MB and puts 180 MB into { $folder }.
nvrtc-ask = Download it? [y/N]
# Words that count as yes, in lower case.
nvrtc-yes = y yes
nvrtc-declined = Nothing was downloaded.
nvrtc-nobody-to-ask = Standard input is not a terminal, so the question whether to download it cannot be asked.
nvrtc-nobody-to-ask-help = `{ $command }` does not ask.
nvrtc-progress = downloaded and unpacked: { $mb } MB
nvrtc-installed = NVRTC { $release } works, and the tutor will find it: { $path }. An open tutor finds it when you next edit or save.
nvrtc-already = NVRTC { $release } was already installed and works: { $path }
nvrtc-overruled = { $variable } is set, so the tutor uses the library named there instead.
nvrtc-removed = Removed { $path }.
nvrtc-not-there = { $path } is empty.
nvrtc-not-ours = { $folder } contains files that no installer of NVRTC puts there.
nvrtc-not-ours-help = Move them away.
nvrtc-busy = Another process is installing or removing it now.
nvrtc-offline = NVRTC was not downloaded, because { $installer } cannot reach the package index.
nvrtc-not-fetched = NVRTC was not downloaded. { $installer } reports: { $why }
nvrtc-does-not-work = The downloaded library does not work and was removed: { $why }
nvrtc-unwritten = NVRTC was not installed in { $folder }: { $why }.
nvrtc-no-library = { $folder } has no NVRTC library.
nvrtc-other-release = it is release { $release }, not { $pinned }.
nvrtc-no-installer = NVRTC cannot be downloaded: there is neither uv nor a Python with pip or venv.
nvrtc-no-installer-help = Install one of them, or set MATMUL_TUTOR_NVRTC to the full path of an existing libnvrtc.so.
nvrtc-not-here = NVIDIA publishes NVRTC { $release } as a Python wheel only for Linux and Windows on x86-64.
nvrtc-not-here-help = If the CUDA toolkit is installed, the tutor finds its NVRTC. Otherwise set MATMUL_TUTOR_NVRTC to the full path of the library.
