import { readFileSync } from "node:fs";
import { join } from "node:path";
import { KERNEL_ERROR_CODES } from "@haft/core";
import { BUILT_IN_ROLES } from "@haft/runtime-node";
import { expect, it } from "vitest";
import { ROOT } from "./source-files.js";

const reference = readFileSync(join(ROOT, "docs/reference.md"), "utf8");

it("the reference lists every error code of the kernel, and no other", () => {
  const listed = [...reference.matchAll(/^\| `([A-Z_]+)` +\|/gm)].map(([, code]) => code);
  expect(listed.sort()).toEqual([...KERNEL_ERROR_CODES].sort());
});

it("the reference lists every built-in role with its permissions", () => {
  const listed = Object.fromEntries(
    [...reference.matchAll(/^\| `([a-z]+)` +\| ([\w ]+?) +\|$/gm)].map(([, name, permissions]) => [
      name,
      permissions?.split(" "),
    ]),
  );
  const built = Object.fromEntries(
    Object.values(BUILT_IN_ROLES).map(({ name, permissions }) => [name, [...permissions]]),
  );
  expect(listed).toEqual(built);
});
