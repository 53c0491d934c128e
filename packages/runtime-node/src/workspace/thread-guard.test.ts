import fc from "fast-check";
import { expect, it } from "vitest";
import { PathGuard } from "./path-guard.js";
import { makeThreadGuard } from "./thread-guard.js";

const name = fc.oneof(
  fc.constantFrom(
    ".env",
    ".ENV.local",
    "id_rsa",
    "a.pem",
    ".ssh",
    "config",
    "secrets.yml",
    "x.ts",
    "private",
    "state",
  ),
  fc.constantFrom(".a.haft-7-0123456789ab.tmp", "cre\u200bdentials", ".npmrc. ", ".kube", "ｃredentials"),
  fc.string({ minLength: 1, maxLength: 8 }).filter((text) => !text.includes("/")),
);

it("a guard rebuilt from its rules in a thread judges every path the same", async () => {
  const guard = new PathGuard({ sensitive: ["private", "*.secret"], reserved: ["state"] });
  const other = await makeThreadGuard(structuredClone(guard.rules));
  let refused = 0;
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (names) => {
      const path = names.join("/");
      if (!guard.mayOpen(path)) refused++;
      expect(other(path)).toBe(guard.mayOpen(path));
    }),
    { numRuns: 2000 },
  );
  expect(refused).toBeGreaterThan(100);
});
