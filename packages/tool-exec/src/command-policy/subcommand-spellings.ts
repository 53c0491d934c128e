import { wordList } from "./word-list.js";

/** The words accepted as a subcommand; null accepts any word. */
type Spelling = readonly (string | null)[];

/**
 * Other ways to say the same subcommand of a program: `i` of npm is `install`, `deploy` of yarn is `run deploy`. `next` is
 * the word after it.
 */
export function subcommandSpellings(program: string, word: string, next: string): readonly Spelling[] {
  return Object.hasOwn(PROGRAMS, program) ? (PROGRAMS[program]?.(word, next) ?? []) : [];
}

type Spellings = (word: string, next: string) => readonly Spelling[];

const PROGRAMS: Readonly<Record<string, Spellings>> = {
  npm: (word, next) => [...abbreviated(NPM, word), ...npmScript(word, next)],
  git: (word) => synonyms(GIT, word),
  pnpm: (word, next) => [
    ...synonyms(PNPM, word),
    ...script(word, next),
    ...prefixed(word, "recursive multi m"),
  ],
  yarn: (word, next) => [...synonyms(YARN, word), ...script(word, next), ...prefixed(word, "global")],
  bun: (word, next) => [...synonyms(BUN, word), ...script(word, next)],
  cargo: (word) => [...synonyms(CARGO, word), ...(CARGO_KNOWN.has(word) ? [] : [[null]])],
  docker: containers,
  podman: containers,
  helm: (word) => synonyms(HELM, word),
};

/** npm runs these scripts without `run`. */
function npmScript(word: string, next: string): readonly Spelling[] {
  if (RUN.has(word)) return NPM_SCRIPTS.has(next) ? [[]] : [];
  if (word === "t" || word === "tst") return [["run", "test"]];
  return NPM_SCRIPTS.has(word) ? [["run", word]] : [];
}

/** The others run any script without `run`, unless its name is a command of their own. */
function script(word: string, next: string): readonly Spelling[] {
  if (RUN.has(word)) return MANAGER_COMMANDS.has(next) ? [] : [[]];
  return MANAGER_COMMANDS.has(word) ? [] : [["run", word]];
}

const RUN: ReadonlySet<string> = new Set(wordList("run run-script rum urn"));
const NPM_SCRIPTS: ReadonlySet<string> = new Set(wordList("test start stop restart"));
const MANAGER_COMMANDS: ReadonlySet<string> = new Set(
  wordList(
    "add audit config create dlx exec init install link list login logout outdated pack publish rebuild remove",
  ),
);

/** `docker image push` is `docker push`, and `docker container exec` is `docker exec`. */
function containers(word: string): readonly Spelling[] {
  return OBJECTS.includes(word) ? [[]] : OBJECTS.map((object) => [object, word]);
}

const OBJECTS = ["image", "container"];

/** `pnpm recursive publish` is `pnpm publish`, in every project. */
function prefixed(word: string, prefixes: string): readonly Spelling[] {
  return prefixes.split(" ").includes(word) ? [[]] : [];
}

function synonyms(groups: readonly (readonly string[])[], word: string): readonly Spelling[] {
  return groups.filter((group) => group.includes(word)).flatMap((group) => group.map((other) => [other]));
}

/** npm takes the beginning of a word for the word, and `installTest` for `install-test`. */
function abbreviated(groups: readonly (readonly string[])[], given: string): readonly Spelling[] {
  const word = given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return groups
    .filter((group) => group.some((each) => each.startsWith(word)))
    .flatMap((group) => group.map((other) => [other]));
}

const groupsOf = (...lines: readonly string[]) => lines.map((line) => line.split(" "));

// As lib/utils/cmd-list.js of npm 9 to 11 has them, and a line of words without other names.
const NPM = [
  ...groupsOf(
    "adduser add-user",
    "bugs issues",
    "ci clean-install ic install-clean isntall-clean",
    "config c",
    "dedupe ddp",
    "dist-tag dist-tags",
    "docs home",
    "exec x",
    "explain why",
    "help hlep",
    "init create innit",
    "install add i in ins inst insta instal isnt isnta isntal isntall",
    "install-ci-test cit clean-install-test sit",
    "install-test it",
    "link ln",
    "ll la",
    "ls list",
    "org ogr",
    "owner author",
    "rebuild rb",
    "run run-script rum urn",
    "search s se find",
    "test tst t",
    "uninstall unlink remove rm r un",
    "update u up upgrade udpate",
    "version verison",
    "view v info show",
  ),
  ...wordList(
    "access approve-scripts audit cache completion deny-scripts deprecate diff doctor edit explore find-dupes fund get",
    "help-search hook install-scripts login logout outdated pack ping pkg prefix profile prune publish query repo restart",
    "root sbom set shrinkwrap stage star stars start stop team token trust undeprecate unpublish unstar whoami",
  ).map((word) => [word]),
];
const GIT = groupsOf("add stage", "init init-db", "blame annotate", "fsck fsck-objects");
const PNPM = groupsOf(
  "install i add",
  "remove rm uninstall un",
  "update up upgrade",
  "test t tst",
  "run run-script",
  "link ln",
  "rebuild rb",
  "config c",
  "dedupe ddp",
  "deploy",
);
const YARN = groupsOf("remove rm", "up upgrade", "test t", "run run-script");
const BUN = groupsOf("install i add a", "remove rm", "update up", "x exec", "create c");
const HELM = groupsOf("uninstall del delete un", "list ls", "dependency dep dependencies");

/** A configuration in the workspace can define any other word as an alias of cargo's own. */
const CARGO = groupsOf("build b", "check c", "doc d", "run r", "test t", "remove rm");
const CARGO_KNOWN: ReadonlySet<string> = new Set(
  wordList(
    "add bench build b check c clean clippy config doc d fetch fix fmt generate-lockfile git-checkout help info init",
    "install locate-project login logout metadata miri new nextest owner package pkgid publish read-manifest remove rm",
    "report run r rustc rustdoc search test t tree uninstall update vendor verify-project version yank",
  ),
);
