import { defineTool, ToolError } from "@haft/core";
import { withNearestNames } from "../missing-path.js";
import { existingFile } from "./existing-file.js";
import { assertExpectedHash } from "./expected-hash.js";
import { fitContent } from "./fit-content.js";
import { renderWrite } from "./render-write.js";
import { writeResult } from "./write-result.js";
import { type UpdateFileArgs, updateFileInput, WHOLE_FILE_ALIASES, writeOutput } from "./write-schema.js";

export const UpdateFile = defineTool({
  name: "update_file",
  summary: "Replace the whole content of a file that exists.",
  deferred: true,
  category: "write",
  permissions: ["ReadFiles", "WriteFiles"],
  approval: "confirm",
  input: updateFileInput,
  output: writeOutput,
  pack: "@haft/tool-fs",
  idempotent: true,
  aliases: WHOLE_FILE_ALIASES,
  examples: [
    { when: "rewrite a short file", args: { path: ".prettierignore", content: "dist\ncoverage\n" } },
    {
      when: "rewrite it only if it is still what you read",
      args: { path: "VERSION", content: "1.3.0\n", expected_hash: "2c26b46b68ffc68f" },
    },
  ],
  guidance: [
    "Use it to rewrite a file as a whole. Use [[edit]] to change part of it: that is cheaper and safer.",
    "Read the file first and write its whole content: a line such as `// ... existing code ...` is refused.",
    "Encoding, byte order mark, line endings and permissions are kept.",
  ].join("\n"),
  termination:
    "Preview with dry_run when you are unsure. After the last change that the task needs, check the result, then stop.",
  dialects: { claude: "hidden" },
  needsRead: ({ expected_hash }) => expected_hash === undefined,
  previewOnly: ({ dry_run }) => dry_run,
  render: renderWrite,

  async run(args, { workspace }) {
    const existing = await existingFile(args.path, workspace);
    if (typeof existing === "string") throw await notThere(args, workspace);
    assertExpectedHash(args.path, existing, args.expected_hash);
    const text = await fitContent({ path: args.path, content: args.content, existing }, workspace);
    await workspace.writeText(args.path, text);
    return writeResult({ path: args.path, existing, sizeIfUnknown: 0 }, workspace);
  },
});

function notThere(
  { path, content }: UpdateFileArgs,
  workspace: Parameters<typeof withNearestNames>[1],
): Promise<unknown> {
  const error = new ToolError("FILE_NOT_FOUND", `File not found: ${path}`, {
    hint: "Use [[create_file]] to create it.",
    next: { tool: "create_file", args: { path, content } },
  });
  return withNearestNames(error, workspace, { path });
}
