# What clap prints, in exactly its words. Other languages translate help and errors by them. Their texts of commands and options are
# `usage-COMMAND` with an attribute per option; in English, the doc comments of `src/cli` are these texts.

usage-words = Words:
    .usage = Usage:
    .arguments = Arguments:
    .general = General options:
    .options = Options:
    .commands = Commands:
    .examples = Examples:
    .help-summary = Print help (see a summary with '-h')
    .help-more = Print help (see more with '--help')
    .help-command = Print this message or the help of the given subcommand(s)
    .help = Print help
    .version = Print version
    .default = default:
    .possible = possible values:
    .values = Possible values:

usage-says = clap:
    .error = error: { $what }
    .value-why = invalid value '{ $a }' for '{ $b }': { $what }
    .value = invalid value '{ $a }' for '{ $b }'
    .no-value = a value is required for '{ $a }' but none was supplied
    .argument = unexpected argument '{ $a }' found
    .command = unrecognized subcommand '{ $a }'
    .missing = the following required arguments were not provided:
    .conflict = the argument '{ $a }' cannot be used with '{ $b }'
    .conflicts = the argument '{ $a }' cannot be used with:
    .twice = the argument '{ $a }' cannot be used multiple times
    .more = unexpected value '{ $a }' for '{ $b }' found; no more were expected
    .no-command = '{ $a }' requires a subcommand but one was not provided
    .similar-argument = tip: a similar argument exists: '{ $a }'
    .similar-command = tip: a similar subcommand exists: '{ $a }'
    .similar-value = tip: a similar value exists: '{ $a }'
    .similar-arguments = tip: some similar arguments exist: { $a }
    .similar-commands = tip: some similar subcommands exist: { $a }
    .pass = tip: to pass '{ $a }' as a value, use '{ $b }'
    .information = For more information, try '{ $a }'.
    .usage = Usage: { $a }
    .possible = {"["}possible values: { $a }]
    .commands = {"["}subcommands: { $a }]
    .digit = invalid digit found in string
    .float = invalid float literal
    .large = number too large to fit in target type
    .range = { $a } is not in { $b }
