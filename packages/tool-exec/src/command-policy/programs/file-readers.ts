import { optionTable } from "../option-table.js";
import { objectToResponseFile, type ProgramRule, programRule } from "../program-rule.js";

/** Programs that only print or describe files. */
export const fileReaders: Readonly<Record<string, ProgramRule>> = {
  ls: programRule({
    operands: "names",
    options: optionTable(
      "-aAbBcCdDfFgGhHiklLmnNopqQrRsStuUvxXZ1 -I: -T: -w: --all --almost-all --author --escape --block-size:",
      "--ignore-backups --color? --directory --dired --classify? --file-type --full-time --zero --format:",
      "--group-directories-first --no-group --human-readable --si --dereference --hide: --hyperlink? --context",
      "--dereference-command-line --indicator-style: --inode --ignore: --kibibytes --literal --numeric-uid-gid",
      "--hide-control-chars --show-control-chars --quote-name --quoting-style: --reverse --recursive --size",
      "--sort: --time: --time-style: --tabsize: --width: --help --version",
    ),
  }),
  cat: programRule({
    options: optionTable(
      "-AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs",
      "--show-nonprinting --help --version",
    ),
  }),
  head: programRule({
    options: optionTable(
      "-qvz -# -n: -c: --bytes: --lines: --quiet --silent --verbose --zero-terminated --version",
    ),
  }),
  // Without -f, because following a file never ends.
  tail: programRule({
    options: optionTable(
      "-qvz -# -n: -c: --bytes: --lines: --quiet --silent --verbose --zero-terminated --version",
    ),
  }),
  wc: programRule({
    options: optionTable(
      "-cmlLw --bytes --chars --lines --words --max-line-length --total: --help --version",
    ),
  }),
  nl: programRule({ options: optionTable("-p -b: -d: -f: -h: -i: -l: -n: -s: -v: -w: --body-numbering:") }),
  tac: programRule({ options: optionTable("-br -s: --before --regex --separator:") }),
  rev: programRule({ options: optionTable("") }),
  stat: programRule({
    operands: "names",
    options: optionTable("-Lft -c: --dereference --file-system --terse --format: --printf: --version"),
  }),
  // -f, -C, -m and -z read lists, compile databases or start decompressors.
  file: programRule({
    options: optionTable(
      "-bhikLNr0 -F: -e: --brief --mime --mime-type --mime-encoding --no-dereference --dereference",
      "--extension --keep-going --no-pad --separator: --print0 --raw --version",
    ),
  }),
  du: programRule({
    operands: "names",
    options: optionTable(
      "-abcDhHklLmsSxP0 -d: -B: -t: --all --apparent-size --bytes --total --human-readable --si --summarize",
      "--max-depth: --exclude: --threshold: --time? --null --separate-dirs --one-file-system --block-size:",
    ),
  }),
  tree: programRule({
    operands: "names",
    options: optionTable(
      "-adflxpsuhgDFqNQrtcUvSnCAiJX -L: -I: -P: --gitignore --dirsfirst --filesfirst --noreport --prune --du --si",
      "--sort? --charset: --filelimit: --matchdirs --ignore-case --inodes --device --version",
    ),
  }),
  realpath: programRule({
    operands: "names",
    options: optionTable(
      "-eLmPqsz --canonicalize-existing --canonicalize-missing --relative-to@ --relative-base@ --strip --quiet",
      "--no-symlinks --zero --logical --physical",
    ),
  }),
  readlink: programRule({
    operands: "names",
    options: optionTable(
      "-efmnqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline",
    ),
  }),
  od: programRule({
    options: optionTable(
      "-abcdfhilosvx -A: -j: -N: -t: -w? --address-radix: --skip-bytes: --read-bytes: --format:",
    ),
  }),
  hexdump: programRule({
    options: optionTable("-bcCdovx -n: -s: --canonical --length: --skip: --no-squeezing"),
  }),
  strings: programRule({
    check: objectToResponseFile,
    options: optionTable("-af -n: -t: -e: --all --bytes: --radix: --encoding:"),
  }),
  base64: programRule({ options: optionTable("-di -w: --decode --ignore-garbage --wrap:") }),
};
