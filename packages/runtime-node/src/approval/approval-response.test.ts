import type { ApprovalRequest } from "@haft/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readResponse } from "./approval-response.js";

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

describe("readResponse", () => {
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
    expect(readResponse(response, request)).toMatchObject({ approved: false });
  });

  it("S3.APPR only approved === true approves, whatever else an answer holds", () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (response) => {
        const isApproval =
          typeof response === "object" &&
          response !== null &&
          Object.hasOwn(response, "approved") &&
          (response as { approved: unknown }).approved === true;
        fc.pre(!isApproval);
        expect(readResponse(response, request).approved).toBe(false);
      }),
    );
  });

  it("passes on feedback that is text, and nothing else", () => {
    expect(readResponse({ approved: false, feedback: "rather not" }, request)).toEqual({
      approved: false,
      feedback: "rather not",
    });
    expect(readResponse({ approved: false, feedback: 7, extra: 1 }, request)).toEqual({ approved: false });
    expect(readResponse({ approved: true, stepId: "step-1" }, request)).toEqual({ approved: true });
  });

  it("arguments a form gives back as they were shown are no change, in any order or as text", () => {
    for (const modifiedArgs of [{ content: "x", path: "a" }, '{"content":"x","path":"a"}', null, undefined])
      expect(readResponse({ approved: true, modifiedArgs }, request)).toEqual({ approved: true });
    expect(
      readResponse(
        { approved: true, modifiedArgs: { path: "b", content: "x" }, remember: "session" },
        request,
      ),
    ).toEqual({
      approved: true,
      modifiedArgs: { path: "b", content: "x" },
    });
    expect(readResponse({ approved: true, modifiedArgs: "{not json" }, request)).toEqual({
      approved: true,
      modifiedArgs: "{not json",
    });
  });

  it("arguments with a secret taken out cannot be changed: the placeholder would be written", () => {
    const shown = { ...request, args: { path: "a", content: "[secret:TOKEN]" } };
    const modifiedArgs = { path: "b", content: "[secret:TOKEN]" };
    expect(readResponse({ approved: true, modifiedArgs }, shown, { hidesArguments: true })).toMatchObject({
      approved: false,
      feedback: expect.stringContaining("hidden secret"),
    });
    expect(
      readResponse({ approved: true, modifiedArgs: shown.args }, shown, { hidesArguments: true }),
    ).toEqual({ approved: true });
    // A text that only looks like a placeholder is the user's own.
    expect(readResponse({ approved: true, modifiedArgs }, shown)).toEqual({ approved: true, modifiedArgs });
  });

  it("a denial for want of an answer says so, an approval cannot", () => {
    expect(readResponse({ approved: false, failure: "timeout" }, request)).toEqual({
      approved: false,
      failure: "timeout",
    });
    expect(readResponse({ approved: false, failure: "stale" }, request)).toEqual({ approved: false });
    expect(readResponse({ approved: true, failure: "timeout" }, request)).toEqual({ approved: true });
  });

  it("a bare scope chooses the last grant offered, a choice only one that was offered", () => {
    const remembered = (remember: unknown, offered = request) =>
      readResponse({ approved: true, remember }, offered).remember;
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

  it("a denial remembers nothing", () => {
    expect(readResponse({ approved: false, remember: "project" }, request)).toEqual({ approved: false });
  });
});
