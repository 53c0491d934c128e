// Runs unchanged on Node, Bun, Deno and in a browser: the kernel, a memory workspace and three packs.
import { createRuntime } from "@haft/core";
import { MemoryWorkspace } from "@haft/core/memory";
import { Edit } from "@haft/tool-edit";
import { ListDirectory, ReadFile, WriteFile } from "@haft/tool-fs";
import { Glob, Grep } from "@haft/tool-search";

export async function portableProgram(): Promise<unknown> {
  const workspace = new MemoryWorkspace({ "src/a.ts": "const one = 1;\n", "src/b.ts": "const two = 2;\n" });
  const asked: string[] = [];
  const runtime = await createRuntime({
    workspace,
    role: "editor",
    tools: [Edit, Glob, Grep, ListDirectory, ReadFile, WriteFile],
    approver: async ({ tool, changes }) => {
      asked.push(`${tool} ${changes.map(({ kind, path }) => `${kind} ${path}`).join()}`);
      return { approved: true };
    },
  });
  const found = await runtime.call(Grep, { pattern: "const \\w+", path: "src" });
  const named = await runtime.call(Glob, { pattern: "**/*.ts" });
  const read = await runtime.call(ReadFile, { path: "src/a.ts" });
  const edited = await runtime.call(Edit, { path: "src/a.ts", old_string: "one", new_string: "uno" });
  const after = await workspace.readText("src/a.ts");
  await runtime.undo();
  const undone = await workspace.readText("src/a.ts");
  await runtime.dispose();
  return {
    matches: found.ok && found.value.totalMatches,
    files: named.ok && named.value.files.length,
    read: read.ok,
    edited: edited.ok || edited.error,
    asked,
    after,
    undone,
  };
}
