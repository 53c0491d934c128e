import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasReader } from "./has-reader.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "haft-reader-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe.skipIf(process.platform !== "linux")("hasReader", () => {
  it("sees whether a pipe is still read, and takes nothing from it", () => {
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    expect(hasReader(writer)).toBe(true);
    closeSync(reader);
    expect(hasReader(writer)).toBe(false);
    closeSync(writer);
  });

  it("says yes of a file, and of what is no descriptor", () => {
    const file = openSync(join(folder, "file"), "w");
    expect(hasReader(file)).toBe(true);
    closeSync(file);
    expect(hasReader(987_654)).toBe(true);
  });
});
