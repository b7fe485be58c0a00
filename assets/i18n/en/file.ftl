# Files that people name, or that lie in the data directory.

file-not-read = { $file } cannot be read: { $why }.
file-not-text = it is not a text file
file-encoding = it is not UTF-8 from byte { $at } on, and its encoding is not clear. Save it as UTF-8
file-too-long = { $file } is longer than { $most } MiB.
file-is-directory = it is a directory
file-is-pipe = it is a pipe, not a file
file-is-socket = it is a socket, not a file
file-is-device = it is a device, not a file
