import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const PACKAGES = join(import.meta.dirname, "..", "..", "packages");

/** The TypeScript sources of all packages, without tests and fixtures. */
const SOURCES = readdirSync(PACKAGES).flatMap((name) =>
  readdirSync(join(PACKAGES, name, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !/\.test\.ts$|fixture/.test(path))
    .map((path) => ({
      path: `${name}/src/${path}`,
      text: readFileSync(join(PACKAGES, name, "src", path), "utf8"),
    })),
);

const filesWith = (pattern: RegExp) =>
  SOURCES.flatMap(({ path, text }) => (pattern.test(text) ? [path] : []));

describe("the vocabulary of approvals", () => {
  it("FP4 one function decides whether an answer approves", () => {
    expect(filesWith(/approved\s*(===|!==)\s*(true|false)/)).toEqual([
      "core/src/approval/approval-answer.ts",
      // Records whether a person approved an address: a flag of the network client, not an answer.
      "runtime-node/src/network/guarded-client.ts",
    ]);
    expect(filesWith(/\banswer\??\.approved\b/)).toEqual([
      // A table column.
      "store-postgres/src/postgres-approval-store.ts",
    ]);
  });

  it("FP4 one type describes an answer, and one type describes who is asked", () => {
    const declared = (name: string) => filesWith(new RegExp(`export (interface|type) ${name}\\b`));
    expect(declared("ApprovalAnswer")).toEqual(["core/src/approval/approval-answer.ts"]);
    expect(declared("Approver")).toEqual(["core/src/approval/approval-answer.ts"]);
    expect(filesWith(/export (interface|type) \w+ (extends |= )[^;{]*\bApprovalAnswer\b/)).toEqual([
      // The seed's name, and the same answer after validation.
      "core/src/approval/approval-answer.ts",
      "core/src/approval/read-answer.ts",
    ]);
  });

  it("FP4 only an approver is asked: no gate, no desk, no asker", () => {
    expect(filesWith(/\b(\w*Gate|\w*Desk|Asker)\b/)).toEqual([]);
  });

  it("FP4 outside the request, an approval has one id: approvalId", () => {
    expect(filesWith(/\beventId\b/)).toEqual([]);
    expect(filesWith(/readonly stepId: string/)).toEqual(["core/src/approval/approval.ts"]);
  });
});
