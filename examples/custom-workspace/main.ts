import assert from "node:assert/strict";
import { createRuntime } from "@haft/core";
import { Edit } from "@haft/tool-edit";
import { ReadFile } from "@haft/tool-fs";
import { Grep } from "@haft/tool-search";
import { type DocumentStore, DocumentWorkspace } from "./document-workspace.js";

let row = JSON.stringify({ "wiki/home.md": "# Home\n\nSee the old page.\n" });
const store: DocumentStore = {
  load: async () => JSON.parse(row),
  save: async (documents) => {
    row = JSON.stringify(documents);
  },
};

const runtime = await createRuntime({
  workspace: await DocumentWorkspace.open(store),
  role: "editor",
  tools: [ReadFile, Grep, Edit],
  approver: async ({ changes }) => {
    console.log(changes[0]?.diff);
    return { approved: true };
  },
});

// Every tool works, and so do diffs, approval, stale checks and undo, because they depend only on the workspace.
const found = await runtime.call(Grep, { pattern: "old page" });
assert.equal(found.ok && found.value.totalMatches, 1);
await runtime.call(ReadFile, { path: "wiki/home.md" });
const change = { path: "wiki/home.md", old_string: "the old page", new_string: "the new page" };
const edited = await runtime.call(Edit, change);
assert.ok(edited.ok, edited.text);
assert.match(JSON.parse(row)["wiki/home.md"], /the new page/);

await runtime.undo();
assert.match(JSON.parse(row)["wiki/home.md"], /the old page/);
await runtime.dispose();
