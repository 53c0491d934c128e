import { type OptionTable, optionTable } from "../option-table.js";

const diffSynopsis = [
  "-psRabwWzDu -# -U? -M? -C? -B? -X? -l: -S: -G: -I: --patch --no-patch --unified? --raw --patch-with-raw",
  "--minimal --patience --histogram --anchored: --diff-algorithm: --stat? --compact-summary --numstat",
  "--shortstat --dirstat? --cumulative --summary --patch-with-stat --name-only --name-status --submodule?",
  "--color? --no-color --color-moved? --no-color-moved --word-diff? --word-diff-regex: --color-words?",
  "--no-renames --renames --check --ws-error-highlight: --full-index --binary --abbrev? --break-rewrites?",
  "--find-renames? --find-copies? --find-copies-harder --irreversible-delete --diff-filter: --pickaxe-all",
  "--pickaxe-regex --relative? --no-relative --text --ignore-cr-at-eol --ignore-space-at-eol",
  "--ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines:",
  "--inter-hunk-context: --function-context --exit-code --quiet --no-ext-diff --no-textconv",
  "--ignore-submodules? --src-prefix: --dst-prefix: --no-prefix --line-prefix: --indent-heuristic",
];

const logSynopsis = [
  ...diffSynopsis,
  "-n: -iEFPgcmt -L: --oneline --graph --no-graph --all --branches? --tags? --remotes? --glob: --exclude:",
  "--max-count: --skip: --since: --after: --until: --before: --author: --committer: --grep: --invert-grep",
  "--all-match --regexp-ignore-case --extended-regexp --fixed-strings --perl-regexp --merges --no-merges",
  "--min-parents: --max-parents: --first-parent --not --reflog --walk-reflogs --cherry --cherry-pick",
  "--cherry-mark --left-right --left-only --right-only --boundary --simplify-by-decoration --full-history",
  "--dense --sparse --simplify-merges --ancestry-path --date-order --topo-order --author-date-order --reverse",
  "--no-walk? --do-walk --decorate? --no-decorate --decorate-refs: --source --follow --pretty? --format:",
  "--abbrev-commit --no-abbrev-commit --encoding: --notes? --no-notes --relative-date --date: --parents",
  "--children --log-size --mailmap --use-mailmap --no-mailmap --count --cc --remerge-diff --diff-merges:",
  "--no-diff-merges --combined-all-paths --show-pulls --root --show-linear-break?",
];

/**
 * The allowed options of each git subcommand. Excluded everywhere: options that write (--output), start programs
 * (--ext-diff, --textconv, --show-signature, -O of grep, -S of commit, editors) or leave the repository (--no-index).
 */
export const gitOptions: Readonly<Record<string, OptionTable>> = {
  diff: optionTable(...diffSynopsis, "--cached --staged --merge-base --base --ours --theirs -0123"),
  log: optionTable(...logSynopsis),
  show: optionTable(...logSynopsis),
  whatchanged: optionTable(...logSynopsis),
  shortlog: optionTable(...logSynopsis, "-sne --summary --numbered --email --group: -w?"),
  reflog: optionTable(...logSynopsis),
  stash: optionTable(...logSynopsis),
  "rev-list": optionTable(...logSynopsis, "--objects --disk-usage? --no-object-names --timestamp"),
  "diff-tree": optionTable(
    ...diffSynopsis,
    "-rtmcv --root --no-commit-id --pretty? --format: --cc --merge-base",
  ),
  status: optionTable(
    "-sbz -u? -M? --short --branch --porcelain? --long --show-stash --untracked-files? --ignored?",
    "--ignore-submodules? --column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames",
    "--find-renames?",
  ),
  branch: optionTable(
    "-arvli --list --all --remotes --verbose --show-current --contains? --no-contains? --merged? --no-merged?",
    "--sort: --format: --points-at: --column? --no-column --color? --no-color --ignore-case --abbrev? --no-abbrev",
  ),
  tag: optionTable(
    "-li -n? --list --sort: --format: --contains? --no-contains? --merged? --no-merged? --points-at: --column?",
    "--no-column --color? --ignore-case",
  ),
  remote: optionTable("-v --verbose"),
  "rev-parse": optionTable(
    "-q --quiet --verify --short? --abbrev-ref? --symbolic --symbolic-full-name --show-toplevel --show-prefix",
    "--show-cdup --git-dir --absolute-git-dir --git-common-dir --git-path: --is-inside-work-tree --all --tags?",
    "--is-inside-git-dir --is-bare-repository --is-shallow-repository --branches? --remotes?",
    "--show-superproject-working-tree --show-object-format? --default:",
  ),
  "ls-files": optionTable(
    "-cdmoisukztvf -x: -X@ --cached --deleted --modified --others --ignored --stage --unmerged --killed --exclude:",
    "--exclude-from@ --exclude-per-directory@ --exclude-standard --error-unmatch --full-name --deduplicate --eol",
    "--abbrev? --directory --no-empty-directory --format: --recurse-submodules",
  ),
  "ls-tree": optionTable(
    "-drtlz --long --name-only --name-status --object-only --full-name --full-tree --abbrev?",
  ),
  blame: optionTable(
    "-lstfneWwbpc -M? -C? -L: --root --date: --porcelain --line-porcelain --show-email --show-name --show-number",
    "--show-stats --since: --reverse --abbrev? --color-lines --color-by-age --ignore-rev: --ignore-revs-file@",
    "--first-parent --minimal",
  ),
  describe: optionTable(
    "--all --tags --contains --abbrev? --candidates: --exact-match --debug --long --match: --exclude: --always",
    "--first-parent --dirty? --broken?",
  ),
  grep: optionTable(
    "-EFGPiwvnlLchHoqzWpraI -# -e: -A: -B: -C: -m: --and --or --not --all-match --cached --break --heading",
    "--name-only --files-with-matches --files-without-match --count --ignore-case --word-regexp --invert-match",
    "--line-number --column --only-matching --fixed-strings --extended-regexp --perl-regexp --basic-regexp --text",
    "--color? --no-color --show-function --function-context --context: --after-context: --before-context:",
    "--max-depth: --max-count: --quiet --full-name --null --recursive --no-recursive --threads:",
  ),
  "merge-base": optionTable("-a --all --octopus --is-ancestor --independent --fork-point"),
  "name-rev": optionTable("--tags --refs: --exclude: --all --name-only --always --no-undefined"),
  "cat-file": optionTable("-tsep"),
  "for-each-ref": optionTable(
    "--count: --sort: --format: --points-at: --contains? --no-contains? --merged? --no-merged? --ignore-case",
  ),
  "show-ref": optionTable("-qds --head --heads --tags --dereference --hash? --verify --quiet --abbrev?"),
  "count-objects": optionTable("-vH --verbose --human-readable"),
  "check-ignore": optionTable("-qvn --quiet --verbose --non-matching --no-index"),
  worktree: optionTable("-v --porcelain --verbose"),
  add: optionTable(
    "-AunvN --all --update --dry-run --verbose --intent-to-add --no-all --ignore-errors --ignore-missing",
  ),
  commit: optionTable(
    "-aqsn -m: --message: --all --quiet --signoff --no-signoff --allow-empty --allow-empty-message --amend --no-edit",
    "--no-verify --author: --date: --dry-run --short --porcelain --no-gpg-sign --reset-author --no-status",
  ),
  version: optionTable("--build-options"),
};
