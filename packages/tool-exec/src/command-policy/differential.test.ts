import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CommandPlan } from "./command-plan.js";
import { expandWord } from "./expand-word.js";
import { parseCommand } from "./parse-command.js";

// More with HAFT_DIFFERENTIAL=100000, another sequence with HAFT_SEED.
const cases = Number(process.env.HAFT_DIFFERENTIAL ?? 3_000);
const seed = Number(process.env.HAFT_SEED ?? 20_260_101);

/** `show` prints its arguments and succeeds, `fail` prints them and fails; nothing else can be started. */
const harness = `
PATH=/nonexistent
show() { printf '%s\\0' show "$#" "$@"; }
fail() { printf '%s\\0' fail "$#" "$@"; return 1; }
while IFS= read -r -d '' text <&9; do
  eval "$text" 2>/dev/null </dev/null
  printf '%s\\0' end
done`;

describe.skipIf(process.platform === "win32")("the plan and bash", () => {
  let directory = "";

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "haft-differential-"));
    mkdirSync(join(directory, "d"));
    for (const name of [
      "a.ts",
      "b.ts",
      "ab",
      "[x]",
      "a b",
      ".hidden",
      "-dash",
      "d/a.ts",
      "d/.b",
      "*",
      "1",
      "~",
    ]) {
      writeFileSync(join(directory, name), "");
    }
  });

  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it(`pass the same arguments for ${cases} commands of the subset`, async () => {
    const texts = Array.from({ length: cases }, (_, index) => randomCommand(seed + index));
    const planned = texts.map((text) => ({ text, plan: planOf(text) }));
    const refused = planned.filter(({ plan }) => plan === undefined);
    expect(refused.map(({ text }) => text)).toEqual([]);
    await compare(planned, directory);
  });

  it(`never disagree on ${cases * 4} random texts that are accepted`, async () => {
    const texts = Array.from({ length: cases * 4 }, (_, index) => randomText(seed + index));
    const planned = texts
      .map((text) => ({ text, plan: planOf(text) }))
      .filter(({ plan }) => isHarmless(plan));
    expect(planned.length).toBeGreaterThan(cases / 2);
    await compare(planned, directory);
  });
});

function planOf(text: string): CommandPlan | undefined {
  const parsed = parseCommand(text);
  return parsed.kind === "plan" ? parsed.plan : undefined;
}

function isHarmless(plan: CommandPlan | undefined): boolean {
  const steps = plan?.steps ?? [];
  const commands = steps.flatMap((step) => step.commands);
  return (
    commands.length > 0 &&
    commands.length === steps.length &&
    commands.every(
      ({ words, redirections }) =>
        isProbe(words[0]?.value) && redirections.every(({ fd, kind }) => fd !== 1 && kind !== "read"),
    )
  );
}

function isProbe(name: string | undefined): boolean {
  return name === "show" || name === "fail";
}

async function compare(
  planned: readonly { text: string; plan: CommandPlan | undefined }[],
  directory: string,
) {
  const expected = askBash(
    planned.map(({ text }) => text),
    directory,
  );
  const differences: string[] = [];
  for (const [index, { text, plan }] of planned.entries()) {
    if (plan === undefined || leavesDirectory(plan)) continue;
    const ours = await follow(plan, directory);
    if (JSON.stringify(ours) !== JSON.stringify(expected[index])) {
      differences.push(JSON.stringify({ text, ours, bash: expected[index] }));
    }
  }
  expect(differences.slice(0, 5)).toEqual([]);
}

// The rest of the file system changes under the test.
function leavesDirectory(plan: CommandPlan): boolean {
  const words = plan.steps.flatMap((step) => step.commands.flatMap((command) => command.words));
  return words.some((word) => word.kind === "glob" && /^\/|\.\./.test(word.value));
}

function askBash(texts: readonly string[], directory: string): string[][] {
  const file = join(directory, ".cases");
  writeFileSync(file, texts.map((text) => `${text}\0`).join(""));
  const { stdout } = spawnSync("/bin/bash", ["--norc", "--noprofile", "-c", `${harness} 9< .cases`], {
    cwd: directory,
    env: { LC_ALL: "C" },
    maxBuffer: 1 << 28,
  });
  const answers: string[][] = [[]];
  for (const item of stdout.toString("utf8").split("\0").slice(0, -1)) {
    if (item === "end") answers.push([]);
    else answers.at(-1)?.push(item.startsWith("./-") ? item.slice(2) : item);
  }
  return answers.slice(0, texts.length);
}

/** Executes a plan of probes as the documentation of CommandPlan specifies. */
async function follow(plan: CommandPlan, directory: string): Promise<string[]> {
  const output: string[] = [];
  let status = 0;
  for (const step of plan.steps) {
    if ((step.joiner === "&&" && status !== 0) || (step.joiner === "||" && status === 0)) continue;
    const words = step.commands[0]?.words ?? [];
    const argv = (
      await Promise.all(words.map((word) => expandWord(word, async (path) => list(directory, path))))
    ).flat();
    output.push(
      argv[0] ?? "",
      String(argv.length - 1),
      ...argv.slice(1).map((arg) => arg.replace(/^\.\/-/, "-")),
    );
    status = (argv[0] === "fail") !== step.negated ? 1 : 0;
  }
  return output;
}

function list(directory: string, path: string) {
  try {
    const entries = readdirSync(resolve(directory, path), { withFileTypes: true });
    return entries.map((entry) => ({
      name: entry.name,
      isDirectory: entry.isDirectory() || isFolder(resolve(directory, path, entry.name)),
    }));
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Random command lines for the differential test; the same seed always gives the same text. */
function randomCommand(seed: number): string {
  const random = generator(seed);
  let text = randomSimple(random);
  for (let more = random(4); more > 0; more -= 1) {
    text +=
      pick(random, [" && ", "&&", " || ", "||", "; ", ";", "\n", " &&\n", " ||  ", "\n\n"]) +
      randomSimple(random);
  }
  return text + pick(random, ["", "", ";", "\n", " # done", " "]);
}

/** Arbitrary characters after a probe; most of them are intentionally nonsense. */
function randomText(seed: number): string {
  const random = generator(seed);
  const alphabet = [
    ..."aab  \t\n''\"\"\\\\$`(){}[]**?~#!&|;<>=-/.,012:@+^%",
    " show ",
    "show ",
    " fail ",
    "\\\n",
    "$'",
    "/dev/null",
  ];
  let text = pick(random, ["show ", "fail ", "show", "! show "]);
  for (let length = random(9); length > 0; length -= 1) text += pick(random, alphabet);
  return text;
}

type Random = (below: number) => number;

// mulberry32: small, and good enough to mix syntax.
function generator(seed: number): Random {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[random(items.length)] as Item;
}

function randomSimple(random: Random): string {
  const words = Array.from({ length: random(5) }, () => randomWord(random));
  const start =
    pick(random, ["", "", "", "", "! ", "CI=1 ", "2>/dev/null "]) +
    pick(random, ["show", "show", "fail", "s'ho'w", '"show"', "sh\\ow"]);
  const gap = () => pick(random, [" ", " ", "  ", "\t", " \\\n", " \\\n "]);
  const end = pick(random, ["", "", "", " 2>&1", " 2>/dev/null", " </dev/null"]);
  return start + words.map((word) => gap() + word).join("") + end;
}

function randomWord(random: Random): string {
  const parts = Array.from({ length: 1 + random(4) }, () => randomPart(random));
  const word = parts.join("").replace(/\/[^\w.%@+,:=^#*?[]*(?=\/)/g, "");
  // A digit before a redirection, a comment and a tilde have another meaning at these positions.
  return /^(?:\\\n)*(?:[#~]|\d*$)/.test(word) ? `x${word}` : word;
}

function randomPart(random: Random): string {
  const plain = () =>
    pick(random, [
      "a",
      "b",
      "foo",
      "-x",
      "--y=z",
      "1",
      ".ts",
      "d/",
      "é",
      "%",
      "@",
      "+",
      ",",
      ":",
      "=",
      "^",
      "#",
      "/",
      ".",
      "_",
    ]);
  switch (random(9)) {
    case 0:
      return `'${pick(random, ["", "a b", "$x", "`x`", "\\", '"', "*", "\n", ";", "&& b", "#"])}'`;
    case 1:
      return `"${pick(random, ["", "a b", "\\$x", "\\`x\\`", "\\\\", '\\"', "*", "'", "\\n", "\\\n", "a\\\nb", ";", "!", "#"])}"`;
    case 2:
      return `\\${pick(random, ["a", " ", "$", "`", "\\", '"', "'", "*", "?", "[", "\n", ";", "&", "|", "#", "~", "(", "{", "<"])}`;
    case 3:
      return `$'${pick(random, ["", "a", "\\n", "\\t", "\\x41", "\\101", "\\'", "\\\\", "\\u0041", '"', "\\e".slice(0, 0), "a b"])}'`;
    case 4:
      return pick(random, [
        "*",
        "?",
        "*.ts",
        "[ab]",
        "[a-c]*",
        "[!a]*",
        ".*",
        "d/*",
        "*/",
        "[[:alpha:]]*",
        "a*",
      ]);
    default:
      return plain();
  }
}
