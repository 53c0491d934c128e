import { defineTool, ToolError } from "@haft/core";
import { fitContent } from "./fit-content.js";
import { renderWrite } from "./render-write.js";
import { writeResult } from "./write-result.js";
import { createFileInput, NEW_FILE_ALIASES, writeOutput } from "./write-schema.js";

export const CreateFile = defineTool({
  name: "create_file",
  summary: "Create a file that does not exist yet; never overwrites.",
  deferred: true,
  category: "write",
  permissions: ["CreateFiles"],
  alsoUses: ["ReadFiles"],
  approval: "confirm",
  input: createFileInput,
  output: writeOutput,
  pack: "@haft/tool-fs",
  aliases: NEW_FILE_ALIASES,
  examples: [
    {
      when: "add a module",
      args: { path: "src/greet.ts", content: "export const greet = () => 'hello';\n" },
    },
  ],
  guidance: [
    "Use it when a file must be new: an existing path is an error, so nothing can be lost.",
    "Parent directories are created. Use [[update_file]] to replace a file. Use [[edit]] to change part of one.",
  ].join("\n"),
  termination: "After the last file that the task needs, check the result, then stop.",
  dialects: { claude: "hidden" },
  previewOnly: ({ dry_run }) => dry_run,
  render: renderWrite,

  async run({ path, content, create_dirs: createDirs }, { workspace }) {
    const text = await fitContent({ path, content, existing: "nothing" }, workspace);
    await workspace.createText(path, text, { createDirs }).catch((error) => {
      throw ToolError.is(error) && error.code === "ALREADY_EXISTS" ? alreadyExists(path, error) : error;
    });
    const sizeIfUnknown = new TextEncoder().encode(text).length;
    return writeResult({ path, existing: "nothing", sizeIfUnknown }, workspace);
  },
});

function alreadyExists(path: string, cause: ToolError): ToolError {
  return new ToolError("ALREADY_EXISTS", `${path} already exists`, {
    hint: "Nothing was written. Read it first. Use [[update_file]] to replace it. Use [[edit]] to change part of it.",
    next: { tool: "read_file", args: { path } },
    cause,
  });
}
