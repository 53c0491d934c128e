import {
  isSensitiveName,
  mayBeSensitive,
  SENSITIVE_GLOBS,
  SENSITIVE_PATH_GLOBS,
} from "@haft/text/path-rules";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldParts, NameGuard } from "./name-guard.js";

const ROUNDS = Number(process.env.HAFT_GUARD_ROUNDS ?? 3000);
const guard = new NameGuard([], () => false);

const NAMES = [
  ...[...SENSITIVE_GLOBS, ...SENSITIVE_PATH_GLOBS].flatMap((glob) => glob.split("/")),
  ...["service-account", "gha-creds-", "credentials", "secrets", "terraform.tfstate.backup", ".env.example"],
  ...[".git", "objects", "modules", ".ssh", ".config", "gh", "gcloud", ".kube", "config", ".aws", ".docker"],
  ...[
    "src",
    "README.md",
    "id_",
    "idle.ts",
    "key",
    "monkey",
    "turkey.ts",
    "tf",
    "a.tfx",
    "wallet.ts",
    "netrc",
  ],
];

const BEFORE = ["", "x", ".", "_", "-", " "];
const AFTER = ["", "x", ".", ". ", " ", ".json", ".ts", ".pub", ".yml", ".key", ".bak"];
const SPELLINGS = [same, upper, mixed, wide, split, cut, swapped];

/** Names that the rules know, in spellings that some file system treats as equal, and near misses. */
const SPELT = NAMES.flatMap((glob) => {
  const known = glob.replaceAll("*", "x");
  const spelt = SPELLINGS.map((spell) => spell(known));
  return spelt.flatMap((name) => BEFORE.flatMap((before) => AFTER.map((after) => before + name + after)));
});

const anyName = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...NAMES, ...SPELT) },
  { weight: 1, arbitrary: fc.string() },
  { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
);
const path = fc.array(anyName, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));

function same(text: string): string {
  return text;
}

function upper(text: string): string {
  return text.toUpperCase();
}

function mixed(text: string): string {
  return text.replace(/[a-z]/, (letter) => letter.toUpperCase());
}

/** Letters of another width, which NFKC makes equal. */
function wide(text: string): string {
  return text.replace(/[!-~]/, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0));
}

function split(text: string): string {
  return `${text.slice(0, 2)}\u200b${text.slice(2)}`;
}

function cut(text: string): string {
  return text.slice(0, -1);
}

function swapped(text: string): string {
  return text.slice(1) + text.slice(0, 1);
}

describe("the quick check of a guard", () => {
  it("R19 S4.005.c agrees with the rules about every name they know, and its near misses", () => {
    const judged = SPELT.flatMap((name) => [name, `a/${name}`, `${name}/x`]);
    expect(judged.filter((each) => guard.isSensitive(each) !== isSensitiveName(foldParts(each)))).toEqual([]);
    expect(judged.filter((each) => guard.isSensitive(each)).length).toBeGreaterThan(judged.length / 10);
    expect(judged.filter((each) => guard.isSensitive(each)).length).toBeLessThan(judged.length * 0.9);
  });

  it("R19 S4.005.c agrees with the rules about any path", () => {
    fc.assert(
      fc.property(path, (each) => {
        expect(guard.isSensitive(each)).toBe(each !== "" && isSensitiveName(foldParts(each)));
      }),
      { numRuns: ROUNDS },
    );
  });

  it("leaves every non-ASCII character to the rules, and no ordinary name", () => {
    const passed: string[] = [];
    for (let point = 0x80; point <= 0x1_0000; point++)
      if (!mayBeSensitive(`a${String.fromCodePoint(point)}`)) passed.push(point.toString(16));
    expect(passed).toEqual([]);
    const paths = [
      "src/index.ts",
      "README.md",
      "a b/c-d_e.json",
      "packages/x/tsconfig.json",
      "Makefile",
      "x.d.ts",
    ];
    for (const each of paths) expect(mayBeSensitive(each), each).toBe(false);
  });
});
