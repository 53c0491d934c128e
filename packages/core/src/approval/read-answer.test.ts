import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ApprovalRequest } from "./approval.js";
import { assertRemember, readAnswer } from "./read-answer.js";

const base = { tool: "write_file", role: "coder" };
const call = { id: "call", label: "this exact call", match: { ...base, callDigest: "d" } };
const paths = {
  id: "paths",
  label: "may modify a",
  match: { ...base, paths: ["a"], kinds: ["modify"] as const },
};

const request: ApprovalRequest = {
  stepId: "step-1",
  callId: "c",
  ...base,
  args: { path: "a", content: "x" },
  reason: "asks",
  changes: [],
  risk: "medium",
  grants: [call, paths],
  planDigest: "p",
};

describe("readAnswer", () => {
  it.each([
    ["nothing", undefined],
    ["null", null],
    ["true", true],
    ["a word", "approved"],
    ["an empty object", {}],
    ["approved as text", { approved: "true" }],
    ["approved as a number", { approved: 1 }],
    ["an object that says so", { approved: { valueOf: () => true } }],
    ["approved by inheritance only", Object.create({ approved: true })],
    ["an array", [true]],
    ["another request's id", { approved: true, stepId: "step-2" }],
    ["approved: null", { approved: null }],
  ])("S3.APPR malformed answers deny: %s", (_name, response) => {
    expect(readAnswer(response, request)).toMatchObject({ approved: false });
  });

  it("S3.APPR only approved === true approves, with any other fields", () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (response) => {
        const isApproval =
          typeof response === "object" &&
          response !== null &&
          Object.hasOwn(response, "approved") &&
          (response as { approved: unknown }).approved === true;
        fc.pre(!isApproval);
        expect(readAnswer(response, request).approved).toBe(false);
      }),
    );
  });

  it("passes on only feedback that is text", () => {
    expect(readAnswer({ approved: false, feedback: "rather not" }, request)).toEqual({
      approved: false,
      feedback: "rather not",
    });
    expect(readAnswer({ approved: false, feedback: 7, extra: 1 }, request)).toEqual({ approved: false });
    expect(readAnswer({ approved: true, stepId: "step-1" }, request)).toEqual({ approved: true });
  });

  it("arguments that a form returns unchanged are not an edit, in any order or as text", () => {
    for (const modifiedArgs of [{ content: "x", path: "a" }, '{"content":"x","path":"a"}', null, undefined])
      expect(readAnswer({ approved: true, modifiedArgs }, request)).toEqual({ approved: true });
    expect(readAnswer({ approved: true, modifiedArgs: "{not json" }, request)).toEqual({
      approved: true,
      modifiedArgs: "{not json",
    });
  });

  it("FE15 shows changed arguments with a remembered answer again first, with their own grants", () => {
    const modifiedArgs = { path: "b", content: "x" };
    const session = { grant: "paths", scope: "session" };
    const one = { grant: "call", scope: "session" };
    for (const [remember, chosen] of [
      ["session", session],
      ["project", { ...session, scope: "project" }],
      [one, one],
    ])
      expect(readAnswer({ approved: true, modifiedArgs, remember }, request)).toEqual({
        approved: true,
        modifiedArgs,
        showAgain: "if-changed",
        remember: chosen,
      });
    for (const remember of [undefined, null, "once"])
      expect(readAnswer({ approved: true, modifiedArgs, remember }, request)).toEqual({
        approved: true,
        modifiedArgs,
      });
  });

  it("arguments with a redacted secret cannot be changed: the placeholder would be written", () => {
    const shown = { ...request, args: { path: "a", content: "[secret:TOKEN]" } };
    const modifiedArgs = { path: "b", content: "[secret:TOKEN]" };
    expect(readAnswer({ approved: true, modifiedArgs }, shown, { hidesArguments: true })).toMatchObject({
      approved: false,
      feedback: expect.stringContaining("hidden secret"),
    });
    expect(readAnswer({ approved: true, modifiedArgs: shown.args }, shown, { hidesArguments: true })).toEqual(
      { approved: true },
    );
    // A text that only resembles a placeholder is the user's own.
    expect(readAnswer({ approved: true, modifiedArgs }, shown)).toEqual({ approved: true, modifiedArgs });
  });

  it("a denial because of a missing answer is marked as such; an approval cannot be", () => {
    expect(readAnswer({ approved: false, failure: "timeout" }, request)).toEqual({
      approved: false,
      failure: "timeout",
    });
    expect(readAnswer({ approved: false, failure: "stale" }, request)).toEqual({ approved: false });
    expect(readAnswer({ approved: true, failure: "timeout" }, request)).toEqual({ approved: true });
  });

  it("a bare scope selects the last grant offered, a choice only one that was offered", () => {
    const remembered = (remember: unknown, offered = request) =>
      readAnswer({ approved: true, remember }, offered).remember;
    expect(remembered("session")).toEqual({ grant: "paths", scope: "session" });
    expect(remembered("project", { ...request, grants: [call] })).toEqual({
      grant: "call",
      scope: "project",
    });
    expect(remembered("project", { ...request, grants: [] })).toBeUndefined();
    expect(remembered({ grant: "call", scope: "project" })).toEqual({ grant: "call", scope: "project" });
    expect(remembered({ grant: "call", scope: "session", expiresInMs: 5 })).toEqual({
      grant: "call",
      scope: "session",
      expiresInMs: 5,
    });
    for (const bad of [
      "once",
      "always",
      1,
      null,
      {},
      { grant: "everything", scope: "project" },
      { grant: "call", scope: "user" },
      { grant: "call", scope: "session", expiresInMs: -1 },
      { grant: "call", scope: "session", expiresInMs: "1" },
    ])
      expect(remembered(bad)).toBeUndefined();
  });

  it.each<[unknown, RegExp]>([
    [
      { grant: "other", scope: "session" },
      /the grant "other", which was not offered; offered: "call", "paths"/,
    ],
    [{ grant: "call", scope: "forever" }, /remember must be/],
    [{ grant: "call", scope: "session", expiresInMs: -1 }, /remember must be/],
    [{ scope: "session" }, /remember must be/],
    ["always", /remember must be/],
    [true, /remember must be/],
  ])("FE15 a wish to remember %j that cannot be met denies, and says why", (remember, feedback) => {
    expect(readAnswer({ approved: true, remember }, request)).toEqual({
      approved: false,
      feedback: expect.stringMatching(feedback),
    });
    expect(() => assertRemember({ approved: true, remember }, request)).toThrow(feedback);
    expect(() => assertRemember({ approved: false, remember }, request)).not.toThrow();
  });

  it("a denial remembers nothing", () => {
    expect(readAnswer({ approved: false, remember: "project" }, request)).toEqual({ approved: false });
  });
});
