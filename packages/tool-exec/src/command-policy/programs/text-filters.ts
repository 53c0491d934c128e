import { unlisted } from "../objection.js";
import { optionTable } from "../option-table.js";
import { hasOption, type ProgramRule, programRule } from "../program-rule.js";

const sumOptions = optionTable("-btz --binary --text --tag --zero");

/** Programs that transform text. Excludes options that write files or start programs. */
export const textFilters: Readonly<Record<string, ProgramRule>> = {
  sort: programRule({
    options: optionTable(
      "-bdfgiMhnRrVcCmsuz -k: -t: -S: --key: --field-separator: --buffer-size: --parallel: --batch-size: --sort:",
      "--ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting",
      "--month-sort --human-numeric-sort --numeric-sort --random-sort --reverse --version-sort --check? --merge",
      "--stable --unique --zero-terminated --debug --random-source@ --version",
    ),
  }),
  uniq: programRule({
    maxOperands: 1,
    options: optionTable(
      "-cdDiuz -f: -s: -w: --count --repeated --all-repeated? --skip-fields: --group? --ignore-case",
      "--skip-chars: --unique --zero-terminated --check-chars:",
    ),
  }),
  cut: programRule({
    options: optionTable(
      "-nsz -b: -c: -d: -f: --bytes: --characters: --delimiter: --fields: --complement --only-delimited",
      "--output-delimiter: --zero-terminated",
    ),
  }),
  tr: programRule({
    operands: "text",
    options: optionTable("-cCdst --complement --delete --squeeze-repeats --truncate-set1"),
  }),
  paste: programRule({ options: optionTable("-sz -d: --delimiters: --serial --zero-terminated") }),
  comm: programRule({
    maxOperands: 2,
    options: optionTable("-123z --check-order --nocheck-order --output-delimiter: --total --zero-terminated"),
  }),
  join: programRule({ maxOperands: 2, options: optionTable("-i -a: -e: -j: -o: -t: -v: -1: -2: --header") }),
  fold: programRule({ options: optionTable("-bs -# -w: --bytes --spaces --width:") }),
  fmt: programRule({ options: optionTable("-cstu -# -p: -w: -g: --width: --split-only --uniform-spacing") }),
  expand: programRule({ options: optionTable("-i -t: --initial --tabs:") }),
  unexpand: programRule({ options: optionTable("-a -t: --all --first-only --tabs:") }),
  column: programRule({
    options: optionTable(
      "-txJ -s: -o: -c: -N: -R: -H: --table --separator: --output-separator: --output-width: --table-columns:",
      "--table-right: --table-hide: --fillrows --json",
    ),
  }),
  cmp: programRule({
    options: optionTable("-bls -i: -n: --print-bytes --verbose --quiet --silent --bytes:"),
  }),
  // -l passes the result to pr. Comparing folders would print their sensitive files.
  diff: programRule({
    check: (read) =>
      hasOption(read, "-r", "--recursive") && !hasOption(read, "-q", "--brief")
        ? unlisted("diff -r prints every file below", "diff -rq to see which files differ, then diff them")
        : undefined,
    options: optionTable(
      "-abBcdeEiNnpqrstTuwyZ -C: -F: -I: -L: -U: -W: -x: -X@ --brief --color? --context? --unified? --recursive",
      "--new-file --text --ignore-all-space --ignore-space-change --ignore-blank-lines --ignore-case --minimal",
      "--ignore-tab-expansion --ignore-trailing-space --ignore-matching-lines: --report-identical-files --label:",
      "--side-by-side --width: --left-column --suppress-common-lines --show-c-function --show-function-line:",
      "--strip-trailing-cr --exclude: --exclude-from@ --no-dereference --from-file@ --to-file@ --normal --ed --rcs",
      "--expand-tabs --initial-tab --tabsize: --speed-large-files --version --unidirectional-new-file",
    ),
  }),
  sha256sum: programRule({ options: sumOptions }),
  sha1sum: programRule({ options: sumOptions }),
  sha512sum: programRule({ options: sumOptions }),
  md5sum: programRule({ options: sumOptions }),
  b2sum: programRule({ options: sumOptions }),
  cksum: programRule({ options: optionTable("") }),
  seq: programRule({
    operands: "text",
    options: optionTable("-w -# -f: -s: --equal-width --format: --separator:"),
  }),
  echo: () => undefined,
  printf: ({ args }) =>
    args[0]?.startsWith("-") && args[0] !== "--"
      ? unlisted(`printf ${args[0]} is not an option that may run unasked`)
      : undefined,
};
