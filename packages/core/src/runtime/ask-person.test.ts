import { createTestRuntime } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { type ApprovalAnswer, type ApprovalRequest, defineTool, s } from "../index.js";

const Send = defineTool({
  name: "send",
  summary: "Send.",
  category: "web",
  permissions: ["NetworkAccess"],
  approval: () => "confirm",
  input: s.object({ to: s.string("Host") }),
  output: s.json("Anything"),
  run: async ({ to }) => to,
});

/** Calls the tool with an approver that is a plain function, without an approval manager. */
async function callWith(answer: (request: ApprovalRequest) => unknown) {
  const approver = async (request: ApprovalRequest) => answer(request) as ApprovalAnswer;
  const runtime = createTestRuntime({ tools: [Send], approver });
  const result = await runtime.call("send", { to: "a.com" });
  const answered = runtime.events.flatMap((event) =>
    event.type === "approval-answered" ? [event.answer] : [],
  );
  return { result, answered };
}

describe("FE9 the answer of a plain approver is validated", () => {
  it("denies an answer to another request", async () => {
    const { result } = await callWith(() => ({ approved: true, stepId: "another" }));
    expect(result).toMatchObject({ ok: false, error: { code: "APPROVAL_DENIED" } });
  });

  it("accepts an answer that names its request", async () => {
    const { result } = await callWith(({ stepId }) => ({ approved: true, stepId }));
    expect(result).toMatchObject({ ok: true });
  });

  it.each([7, "ada", { how: "grant", who: "g" }, { how: "none" }, { how: {} }])(
    "does not record a decider that it cannot know: %j",
    async (by) => {
      const { result, answered } = await callWith(() => ({ approved: true, by }));
      expect(result).toMatchObject({ ok: true });
      expect(answered).toEqual([{ approved: true }]);
    },
  );

  it.each([true, false])(
    "tells the model to stop if the answer stops the task, approved: %s",
    async (approved) => {
      const { result } = await callWith(() => ({ approved, abort: true, feedback: "not today" }));
      expect(result).toMatchObject({
        error: {
          code: "APPROVAL_DENIED",
          message: "The user did not approve send, and stopped the task: not today",
          hint: "Nothing was done. Make no more calls; report what is done so far.",
        },
      });
    },
  );

  it("denies a grant that was not offered", async () => {
    const remember = { grant: "everything", scope: "project" };
    const { result } = await callWith(() => ({ approved: true, remember }));
    expect(result).toMatchObject({ ok: false, error: { code: "APPROVAL_DENIED" } });
  });
});
