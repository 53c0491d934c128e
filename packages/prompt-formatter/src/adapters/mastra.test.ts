import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AdapterWorkspace, adapterWorkspace, OVERWRITE } from "../fixtures/adapter-workspace.js";
import { formatApproval } from "../format-approval.js";
import { type MastraContext, type MastraToolOptions, toMastraTools } from "./mastra.js";

// `pnpm test:mastra` tests with the library itself.

let folder: AdapterWorkspace;

beforeEach(() => {
  folder = adapterWorkspace();
});
afterEach(() => folder.dispose());

describe("S3.APPR the data that resumes a Mastra run", () => {
  const answers: readonly unknown[] = [
    {},
    null,
    { approved: "yes" },
    { approved: 1 },
    { approved: false },
    "approved",
  ];
  it.each(answers.map((answer) => [JSON.stringify(answer), answer]))(
    "%s is no yes: nothing is changed",
    async (_, answer) => {
      const { asked, resume } = await suspended();
      expect(asked()).toBe(1);
      expect(await resume(answer)).toMatchObject({ ok: false, error: { code: "APPROVAL_DENIED" } });
      expect(folder.read("f.txt")).toBe("old\n");
    },
  );

  it("FE16 a denial settles the stored request: a later approval finds it decided", async () => {
    const { resume, runtime } = await suspended();
    const [pending] = await runtime.pending();
    await resume({ approved: false });
    expect(await runtime.pending()).toEqual([]);
    await expect(runtime.decide(pending?.approvalId as string, { approved: true })).rejects.toMatchObject({
      code: "ALREADY_DECIDED",
    });
    expect(await resume({ approved: true })).toMatchObject({ ok: false });
    expect(folder.read("f.txt")).toBe("old\n");
  });

  it("FE7 the question has the same text as in terminals and MCP clients", async () => {
    const { questions, runtime } = await suspended();
    const [pending] = await runtime.pending();
    const {
      approvalId: _,
      requestedAt: _at,
      waiter: _who,
      ...request
    } = pending as NonNullable<typeof pending>;
    expect(questions).toEqual([{ ...request, text: formatApproval(request) }]);
    expect(formatApproval(request)).toContain("f.txt");
  });

  it("a plain approval runs the call as shown", async () => {
    const { resume } = await suspended();
    expect(await resume({ approved: true })).toMatchObject({ ok: true });
    expect(folder.read("f.txt")).toBe("new\n");
  });
});

async function suspended() {
  const runtime = await folder.open();
  const made = toMastraTools(runtime, (options: MastraToolOptions) => options, {
    askedBy: "library",
  });
  const questions: unknown[] = [];
  const execute = (given: object) => {
    const agent = {
      toolCallId: "call-1",
      suspend: async (question: unknown) => void questions.push(question),
    };
    return made.write_file?.execute(OVERWRITE, { agent: { ...agent, ...given } } as MastraContext);
  };
  await execute({});
  return {
    runtime,
    questions,
    asked: () => questions.length,
    resume: (resumeData: unknown) => execute({ resumeData }),
  };
}
