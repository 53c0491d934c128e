import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AdapterWorkspace, adapterWorkspace, OVERWRITE } from "../fixtures/adapter-workspace.js";
import { type MastraContext, type MastraToolOptions, toMastraTools } from "./mastra.js";

// With the library itself: `pnpm test:mastra`.

let folder: AdapterWorkspace;

beforeEach(() => {
  folder = adapterWorkspace();
});
afterEach(() => folder.dispose());

describe("S3.APPR what a Mastra run is resumed with", () => {
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

  it("a plain yes runs what was shown", async () => {
    const { resume } = await suspended();
    expect(await resume({ approved: true })).toMatchObject({ ok: true });
    expect(folder.read("f.txt")).toBe("new\n");
  });
});

async function suspended() {
  const made = toMastraTools(await folder.open(), (options: MastraToolOptions) => options, {
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
  return { asked: () => questions.length, resume: (resumeData: unknown) => execute({ resumeData }) };
}
