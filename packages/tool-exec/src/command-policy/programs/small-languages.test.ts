import { describe, expect, it } from "vitest";
import { isPlainAwkProgram } from "./awk-program.js";
import { isPlainJqFilter } from "./jq-filter.js";
import { isPlainSedScript } from "./sed-script.js";

describe("small languages", () => {
  it.each([
    ...[
      "p",
      "1p",
      "$p",
      "1,5p",
      "2,$p",
      "10,+3p",
      "1~2p",
      "/a/p",
      "/a/,/b/p",
      "/a/Id",
      "$!d",
      "5q",
      "q1",
      "$=",
      "",
    ],
    ...[
      "s/a/b/",
      "s/a/b/g",
      "s/a/b/2p",
      "s|a|b|I",
      "s/a\\/b/c/",
      "s/[a-z]/x/",
      "/x/s/a/b/",
      "1d;2d",
      "1d\n2d ; 3p",
      "s/a/\\n&/",
    ],
  ])("sed accepts %j", (script) => {
    expect(isPlainSedScript(script)).toBe(true);
  });

  it.each([
    ...[
      "w x",
      "1w x",
      "r x",
      "R x",
      "W x",
      "e",
      "1e ls",
      "s/a/b/e",
      "s/a/b/w x",
      "s/a/b/ge",
      "s/a/b/m",
      "a text",
      "i\\\nx",
      "c x",
    ],
    ...[
      "1{p}",
      "{p",
      "p}",
      ":a",
      "ba",
      "y/a/b/",
      "n",
      "N",
      "x",
      "F",
      "l",
      "s/a/b",
      "s/a",
      "s",
      "sxaxbx",
      "s\na\nb\n",
      "s/[/]/e/",
    ],
    ...["p w x", "1,w x", "/a", "\\cacp", "p;w x", "p\nw x", "s/a/b\\", "q w x", "#n\nw x", "}", "1!!w x"],
  ])("sed refuses %j", (script) => {
    expect(isPlainSedScript(script)).toBe(false);
  });

  it.each([
    "{print $1}",
    "$1 > 2",
    "$1 > 2 {print}",
    "NR==1{print} NR>3{print}",
    "a || b",
    "{print; x = a > b}",
  ])("awk accepts %j", (program) => {
    expect(isPlainAwkProgram(program)).toBe(true);
  });

  it.each([
    ...[
      "{print > f}",
      '{print $1, "a;" > f}',
      "{print /;/ > f}",
      "{print a,\n b > f}",
      "{printf a >> f}",
      "{print | c}",
      "a | getline",
    ],
    ...[
      "BEGIN{system(x)}",
      "{while (getline < f) x++}",
      "ENVIRON[1]",
      "@f()",
      "{ARGV[1]=x}",
      "{print a |& b}",
      "{ print ||| x }",
    ],
  ])("awk refuses %j", (program) => {
    expect(isPlainAwkProgram(program)).toBe(false);
  });

  it.each(
    [".", ".env", ".a.env", '."env"', ".environment", "env_name", "map(.env)"].filter(
      (filter) => filter !== "env_name",
    ),
  )("jq accepts %j", (filter) => {
    expect(isPlainJqFilter(filter)).toBe(true);
  });

  it.each([
    "env",
    "$ENV",
    "$ ENV",
    "env.PATH",
    "[env]",
    '"\\(env)"',
    ". env",
    "..|env",
    "$__prog_args",
    'import "a" as a; .',
  ])("jq refuses %j", (filter) => {
    expect(isPlainJqFilter(filter)).toBe(false);
  });
});
