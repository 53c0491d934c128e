import { createHash } from "node:crypto";
import { createTestRuntime, MemoryWorkspace, scriptedApprover } from "@haft/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ApprovalRequest,
  type ChangeSummary,
  defineTool,
  s,
  ToolError,
  type Workspace,
} from "../index.js";

const PATHS = ["a.txt", "b.txt", "d/c.txt", "d/e/f.bin", "g.txt", "h/i.txt", "j"];

type Step =
  | {
      readonly do: "write" | "create";
      readonly path: string;
      readonly base64: string;
      readonly mode?: number;
    }
  | { readonly do: "remove"; readonly path: string }
  | { readonly do: "move"; readonly from: string; readonly to: string; readonly overwrite: boolean };

const Script = defineTool({
  name: "script",
  summary: "Do steps; one that does not fit is passed over.",
  category: "write",
  permissions: ["ReadFiles", "WriteFiles", "CreateFiles", "DeleteFiles"],
  approval: "confirm",
  input: s.object({ steps: s.array("Steps", s.json("Step")) }),
  output: s.object({}),
  run: async ({ steps }, { workspace }) => {
    for (const step of steps as Step[])
      await perform(workspace as Workspace, step).catch((error) => {
        if (!ToolError.is(error)) throw error;
      });
    return {};
  },
});

async function perform(workspace: Workspace, step: Step): Promise<void> {
  if (step.do === "remove") await workspace.remove(step.path, { recursive: true });
  else if (step.do === "move") await workspace.move(step.from, step.to, { overwrite: step.overwrite });
  else {
    const options = step.mode === undefined ? {} : { mode: step.mode };
    const method = step.do === "write" ? "writeBytes" : "createBytes";
    await workspace[method](step.path, Buffer.from(step.base64, "base64"), options);
  }
}

const content = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(fc.constantFrom("one\n", "two\r\n", "três\n", "", "last", "\n", "🙂\n"), { maxLength: 8 })
      .map((lines) => Buffer.from(lines.join(""))),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 24 }).map((bytes) => Buffer.from(bytes)) },
);
const path = fc.constantFrom(...PATHS);
const base64 = content.map((bytes) => bytes.toString("base64"));
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("write" as const), path, base64 }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("write" as const),
      path,
      base64,
      mode: fc.constantFrom(0o600, 0o755),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("create" as const), path, base64 }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("remove" as const),
      path: fc.oneof(path, fc.constantFrom("d", "h")),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("move" as const),
      from: fc.oneof(path, fc.constant("d")),
      to: fc.oneof(path, fc.constant("k")),
      overwrite: fc.boolean(),
    }),
  },
);
const before = fc.dictionary(path, content, { maxKeys: 5 });

/** A file tree as path to content, used to check a request independently. */
type Tree = Map<string, Buffer>;

function treeOf(workspace: MemoryWorkspace): Tree {
  const files = Object.entries(workspace.dump()).filter(([name]) => !name.endsWith("/"));
  return new Map(
    files.map(([name, text]) => [name, Buffer.from(text.slice(text.indexOf(" ") + 1), "latin1")]),
  );
}

const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);

/** Applies the shown changes to the old tree; all other files must stay unchanged. */
function play(tree: Tree, shown: readonly ChangeSummary[]): { expected: Map<string, string> } {
  const current = new Map<string, { hash: string; bytes: Buffer | "unknown" }>();
  for (const [name, bytes] of tree) current.set(name, { hash: hashOf(bytes), bytes });
  for (const change of shown) playChange(current, change);
  return { expected: new Map([...current].map(([name, { hash }]) => [name, hash])) };
}

function playChange(
  current: Map<string, { hash: string; bytes: Buffer | "unknown" }>,
  change: ChangeSummary,
): void {
  const inside = (name: string, directory: string) => name === directory || name.startsWith(`${directory}/`);
  if (change.kind === "delete") {
    for (const name of [...current.keys()]) if (inside(name, change.path)) current.delete(name);
    return;
  }
  if (change.kind === "move") {
    current.delete(change.path);
    for (const [name, file] of [...current]) {
      if (!inside(name, change.from as string)) continue;
      current.delete(name);
      current.set(change.path + name.slice((change.from as string).length), file);
    }
    return;
  }
  if (change.afterHash === undefined) return;
  const old = current.get(change.path);
  expect(change.beforeHash).toBe(change.kind === "modify" ? old?.hash : undefined);
  current.set(change.path, { hash: change.afterHash, bytes: patched(old?.bytes, change) });
}

/** The shown diff, applied to the old bytes; "unknown" if it shows no UTF-8 text. */
function patched(
  bytes: Buffer | "unknown" | undefined,
  { diff = "", afterHash }: ChangeSummary,
): Buffer | "unknown" {
  if (bytes === "unknown" || /^(Binary file|encoding) /m.test(diff)) return "unknown";
  const patch = diff.replace(/^mode .*\n/m, "");
  const text = bytes?.toString("utf8") ?? "";
  if (bytes !== undefined && !Buffer.from(text).equals(bytes)) return "unknown";
  const after = Buffer.from(applyHunks(text, patch));
  expect(hashOf(after)).toBe(afterHash);
  return after;
}

/** A simple parser of unified diffs, independent of the code that writes them. */
function applyHunks(text: string, patch: string): string {
  const old = text.split(/(?<=\n)/);
  const result: string[] = [];
  let at = 0;
  const lines = patch.split("\n").slice(0, -1);
  for (const [index, line] of lines.entries()) {
    const header = /^@@ -(\d+)(?:,(\d+))? /.exec(line);
    if (header !== null) {
      const start = header[2] === "0" ? Number(header[1]) : Number(header[1]) - 1;
      result.push(...old.slice(at, start));
      at = start;
    } else if (/^[ +-]/.test(line) && !/^(---|\+\+\+) (a\/|b\/|\/dev\/null|")/.test(line)) {
      const content = line.slice(1) + (lines[index + 1]?.startsWith("\\") ? "" : "\n");
      if (line[0] !== "+") expect(old[at++]).toBe(content);
      if (line[0] !== "-") result.push(content);
    }
  }
  return [...result, ...old.slice(at)].join("");
}

const hashes = (tree: Tree) => new Map([...tree].map(([name, bytes]) => [name, hashOf(bytes)]));
const sorted = (map: Map<string, string>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));

describe("what was approved is applied", () => {
  it("10,000 random edits: the store contains exactly the changes that were shown", {
    timeout: 120_000,
  }, async () => {
    let edits = 0;
    let withDiff = 0;
    await fc.assert(
      fc.asyncProperty(before, fc.array(step, { minLength: 4, maxLength: 12 }), async (files, steps) => {
        const workspace = new MemoryWorkspace();
        for (const [name, bytes] of Object.entries(files)) workspace.put(name, bytes);
        const tree = treeOf(workspace);
        const approver = scriptedApprover(true);
        const runtime = createTestRuntime({ tools: [Script], workspace, approver });
        const result = await runtime.call("script", { steps });
        expect(result).toMatchObject({ ok: true });
        const shown = (approver.requests[0] as ApprovalRequest | undefined)?.changes ?? [];
        expect(result.ok && result.changes).toEqual(shown);
        const { expected } = play(tree, shown);
        expect(sorted(hashes(treeOf(workspace)))).toEqual(sorted(expected));
        edits += shown.length;
        withDiff += shown.filter(({ diff }) => diff?.includes("@@") === true).length;
      }),
      { numRuns: 2_800, interruptAfterTimeLimit: 110_000 },
    );
    expect(edits).toBeGreaterThanOrEqual(10_000);
    expect(withDiff).toBeGreaterThan(2_000);
  });

  it("a file that changes between approval and commit fails with STALE_FILE, and nothing is applied", {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        before,
        fc.array(step, { minLength: 1, maxLength: 4 }),
        fc.nat(),
        async (files, steps, pick) => {
          const workspace = new MemoryWorkspace();
          for (const [name, bytes] of Object.entries(files)) workspace.put(name, bytes);
          let meanwhile = workspace.dump();
          const approver = scriptedApprover(({ changes }) => {
            const touched = changes.filter(({ kind }) => kind === "modify" || kind === "create");
            const victim = touched[pick % Math.max(1, touched.length)];
            const isFirst =
              victim !== undefined &&
              changes.findIndex((change) => touches(change, victim.path)) === changes.indexOf(victim);
            if (isFirst && victim.afterHash !== undefined)
              workspace.put(victim.path, "somebody else was here");
            else meanwhile = {};
            if (isFirst && victim.afterHash !== undefined) meanwhile = workspace.dump();
            return true;
          });
          const result = await createTestRuntime({ tools: [Script], workspace, approver }).call("script", {
            steps,
          });
          if (approver.requests.length === 0 || Object.keys(meanwhile).length === 0) return;
          expect(result).toMatchObject({ ok: false, error: { code: "STALE_FILE" } });
          expect(workspace.dump()).toEqual(meanwhile);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

/** Returns whether a change affects a path, or a directory above it. */
function touches(change: ChangeSummary, name: string): boolean {
  const inside = (path: string | undefined) =>
    path !== undefined && (name === path || name.startsWith(`${path}/`) || path.startsWith(`${name}/`));
  return inside(change.path) || inside(change.from);
}
