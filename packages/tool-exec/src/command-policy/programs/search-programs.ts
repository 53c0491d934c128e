import { firstObjection, type Objection, unlisted } from "../objection.js";
import { optionTable } from "../option-table.js";
import { namesOnly, objectToPath } from "../path-check.js";
import {
  hasOption,
  objectToOptions,
  objectToPaths,
  type ProgramCall,
  type ProgramRule,
} from "../program-rule.js";
import { type ReadOptions, readOptions } from "../read-options.js";
import { wordList } from "../word-list.js";

export const grepOptions = optionTable(
  "-EFGPivwxycLlqosbHhnTUzZraIR -# -e: -f@ -m: -A: -B: -C: -d: -D: --extended-regexp --fixed-strings",
  "--basic-regexp --perl-regexp --regexp: --file@ --ignore-case --no-ignore-case --invert-match --word-regexp",
  "--line-regexp --count --color? --colour? --files-without-match --files-with-matches --max-count:",
  "--only-matching --quiet --silent --no-messages --byte-offset --with-filename --no-filename --label:",
  "--line-number --initial-tab --null --after-context: --before-context: --context: --text --binary-files:",
  "--devices: --directories: --exclude: --exclude-from@ --exclude-dir: --include: --recursive",
  "--dereference-recursive --line-buffered --null-data --binary --version --help",
);

// Excluded: --pre and --hostname-bin start programs, -z starts decompressors, -L follows links, -f reads patterns.
const rgOptions = optionTable(
  "-iSswxvclnNoqFPUua0HIpbV. -e: -g: -t: -T: -A: -B: -C: -m: -M: -j: -r: -d: -E: --ignore-case --smart-case",
  "--case-sensitive --word-regexp --line-regexp --invert-match --count --count-matches --files --regexp:",
  "--files-with-matches --files-without-match --line-number --no-line-number --only-matching --quiet",
  "--fixed-strings --pcre2 --multiline --multiline-dotall --hidden --no-hidden --no-ignore --no-ignore-vcs",
  "--no-ignore-dot --no-ignore-global --no-ignore-parent --no-ignore-exclude --no-ignore-files --unrestricted",
  "--text --null --with-filename --no-filename --pretty --heading --no-heading --color: --colors: --column",
  "--no-column --json --stats --sort: --sortr: --glob: --iglob: --glob-case-insensitive --type: --type-not:",
  "--type-list --type-add: --after-context: --before-context: --context: --max-count: --max-columns:",
  "--max-columns-preview --max-depth: --maxdepth: --max-filesize: --threads: --replace: --trim --vimgrep --crlf",
  "--passthru --encoding: --no-messages --no-config --ignore-file@ --one-file-system --no-follow --engine:",
  "--byte-offset --binary --no-binary --null-data --include-zero --line-buffered --no-mmap --version --help",
  "--field-match-separator: --field-context-separator: --context-separator: --path-separator:",
);

/** Search programs: the first operand is the pattern, the rest are paths. */
export const searchPrograms: Readonly<Record<string, ProgramRule>> = {
  grep: objectToGrep,
  egrep: objectToGrep,
  fgrep: objectToGrep,
  rg: objectToRg,
  find: objectToFind,
};

function objectToGrep(call: ProgramCall): Objection | undefined {
  const read = readOptions(call.args, grepOptions);
  const hasPattern = hasOption(read, "-e", "-f", "--regexp", "--file");
  return objectToOptions(read, call) ?? objectToPaths(pathsAfterPattern(read, hasPattern), call);
}

function objectToRg(call: ProgramCall): Objection | undefined {
  const read = readOptions(call.args, rgOptions);
  const hasPattern = hasOption(read, "-e", "--regexp", "--files", "--type-list");
  return objectToOptions(read, call) ?? objectToPaths(pathsAfterPattern(read, hasPattern), call);
}

function pathsAfterPattern(read: ReadOptions, hasPattern: boolean): readonly string[] {
  const paths = hasPattern ? read.operands : read.operands.slice(1);
  // Without a path they may search the current directory.
  return paths.length === 0 ? ["."] : paths;
}

// find has no getopt: paths come first, then an expression in which every word must be known.
function objectToFind(call: ProgramCall): Objection | undefined {
  const named = { ...call, scope: namesOnly(call.scope) };
  let index = 0;
  while (findLeading.has(call.args[index] ?? "")) index += 1;
  const paths: string[] = [];
  while (index < call.args.length && !/^[-(!),]/.test(call.args[index] ?? "")) {
    paths.push(call.args[index] ?? "");
    index += 1;
  }
  return objectToPaths(paths, named) ?? objectToExpression(call.args.slice(index), named);
}

function objectToExpression(words: readonly string[], call: ProgramCall): Objection | undefined {
  const skipped = new Set<number>();
  return firstObjection(words.entries(), ([index, word]) => {
    if (skipped.has(index) || findWords.has(word)) return undefined;
    skipped.add(index + 1);
    if (findTextTests.has(word)) return undefined;
    if (findPathTests.has(word) || /^-newer[aBcm][aBcm]$/.test(word)) {
      return objectToPath(words[index + 1] ?? "", call.scope);
    }
    return unlisted(`find ${word} is not an expression that may run unasked`, findSuggestions[word]);
  });
}

const findLeading: ReadonlySet<string> = new Set(["-H", "-L", "-P", "-O0", "-O1", "-O2", "-O3"]);

const findWords: ReadonlySet<string> = new Set(
  wordList(
    "( ) ! , -not -a -and -o -or -true -false -empty -readable -writable -executable -nouser -nogroup",
    "-depth -d -xdev -mount -follow -daystart -noleaf -ignore_readdir_race -noignore_readdir_race -warn",
    "-nowarn -prune -print -print0 -ls -quit -version --version -help --help",
  ),
);

const findTextTests: ReadonlySet<string> = new Set(
  wordList(
    "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -lname -ilname -type",
    "-xtype -size -mtime -mmin -ctime -cmin -atime -amin -perm -user -group -uid -gid -links -inum -used",
    "-fstype -maxdepth -mindepth -printf -newermt -newerct -newerat",
  ),
);

const findPathTests: ReadonlySet<string> = new Set(["-newer", "-anewer", "-cnewer", "-samefile"]);

const findSuggestions: Readonly<Record<string, string>> = {
  "-delete": "delete_file",
  "-exec": "pipe into xargs with an allowed program, or use glob and grep",
  "-execdir": "glob and grep",
  "-ok": "glob and grep",
  "-okdir": "glob and grep",
  "-fprint": "write_file",
  "-fprint0": "write_file",
  "-fprintf": "write_file",
  "-fls": "write_file",
};
