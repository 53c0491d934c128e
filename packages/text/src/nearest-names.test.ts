import { describe, expect, it } from "vitest";
import { measureProcessorTime } from "../../../tooling/testing/processor-time.js";
import { nearestNames } from "./index.js";

const tools = [
  "read_file",
  "write_file",
  "edit",
  "edit_lines",
  "grep",
  "glob",
  "list_directory",
  "execute_command",
  "ls",
];

describe("nearestNames", () => {
  it.each([
    ["read_fiel", ["read_file"]],
    ["readFile", ["read_file"]],
    ["READ-FILE", ["read_file"]],
    ["raed_file", ["read_file"]],
    ["gerp", ["grep"]],
    ["glbo", ["glob"]],
    ["edit_line", ["edit_lines", "edit"]],
    ["list", ["list_directory"]],
    ["directory", ["list_directory"]],
    ["execute_command_now", ["execute_command"]],
    ["sl", ["ls"]],
    ["file", ["read_file", "write_file"]],
    ["kubernetes", []],
    ["", []],
  ])("%j", (wanted, expected) => {
    expect(nearestNames(wanted, tools)).toEqual(expected);
  });

  it("returns the nearest first, no more than requested, and none twice", () => {
    expect(nearestNames("abcdef", ["abcxef", "abcdeg", "abcdef", "abcdex", "abcdef"], 2)).toEqual([
      "abcdef",
      "abcdeg",
    ]);
  });

  it("treats the Unicode forms of one name as equal", () => {
    const names = ["Screenshot 10.12.51\u202fAM.png", "Ame\u0301lie\u2019s notes.md"];
    expect(nearestNames("Screenshot 10.12.51 AM.png", names, 1)).toEqual([names[0]]);
    expect(nearestNames("Am\u00e9lie's notes.md", names, 1)).toEqual([names[1]]);
  });

  it("stays cheap for many candidates and long input", () => {
    const many = Array.from({ length: 1000 }, (_, index) => `${"x".repeat(70)}_${index}`);
    const usedMs = measureProcessorTime();
    nearestNames("x".repeat(1_000_000), [...many, "y".repeat(1_000_000)]);
    nearestNames(`${"x".repeat(60)}yyyyyyyyyyyyyyyy`, many);
    expect(usedMs()).toBeLessThan(1500);
  });
});
