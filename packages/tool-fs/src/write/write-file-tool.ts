import { type ContextOf, defineTool, ToolError } from "@haft/core";
import { type Existing, existingFile } from "./existing-file.js";
import { assertExpectedHash } from "./expected-hash.js";
import { fitContent, formatOption } from "./fit-content.js";
import { renderWrite } from "./render-write.js";
import { writeResult } from "./write-result.js";
import { NEW_FILE_ALIASES, type WriteFileArgs, writeFileInput, writeOutput } from "./write-schema.js";

export const WriteFile = defineTool({
  name: "write_file",
  summary: "Write a whole file: creates it, or replaces everything in it.",
  brief: {
    description: "Create a file or replace its whole content. Use [[edit]] to change part of a file.",
    parameters: {
      path: "File to write",
      content: "The whole new content",
    },
  },
  category: "write",
  permissions: ["CreateFiles", "WriteFiles"],
  alsoUses: ["ReadFiles"],
  // Creating a new file destroys no content.
  approval: ({ changes }) => (changes.every(({ kind }) => kind === "create") ? "auto" : "confirm"),
  input: writeFileInput,
  output: writeOutput,
  pack: "@haft/tool-fs",
  idempotent: true,
  aliases: NEW_FILE_ALIASES,
  examples: [
    {
      when: "create a file",
      args: { path: "src/greet.ts", content: "export const greet = () => 'hello';\n" },
    },
    {
      when: "see what overwriting would change",
      args: { path: "README.md", content: "# Title\n", dry_run: true },
    },
  ],
  guidance: [
    "Use it for new files and for rewriting short ones. Use [[edit]] to change part of a file: that is cheaper and safer.",
    "Read an existing file first. Write its whole content: a line such as `// ... existing code ...` is refused.",
    "Encoding, byte order mark, line endings and permissions of an existing file are kept. Parent directories are created.",
  ].join("\n"),
  termination: "After the last write that the task needs, check the result, then stop.",
  dialects: {
    claude: {
      name: "Write",
      parameters: { path: "file_path" },
      omit: ["encoding", "create_dirs", "expected_hash", "dry_run"],
    },
  },
  // A caller that knows the hash has seen the content.
  needsRead: ({ expected_hash }) => expected_hash === undefined,
  previewOnly: ({ dry_run }) => dry_run,
  render: renderWrite,

  async run(args, { workspace }) {
    const existing = await existingFile(args.path, workspace);
    assertExpectedHash(args.path, existing, args.expected_hash);
    const sizeIfUnknown = await write(args, existing, workspace);
    return writeResult({ path: args.path, existing, sizeIfUnknown }, workspace);
  },
});

type WritableWorkspace = ContextOf<(typeof WriteFile)["definition"]>["workspace"];

async function write(args: WriteFileArgs, existing: Existing, workspace: WritableWorkspace): Promise<number> {
  const options = { createDirs: args.create_dirs, ...formatOption(args.encoding) };
  if (args.encoding === "base64") {
    const bytes = fromBase64(args.content, "content");
    await workspace.writeBytes(args.path, bytes, options);
    return bytes.length;
  }
  const text = await fitContent({ path: args.path, content: args.content, existing }, workspace);
  await workspace.writeText(args.path, text, options);
  return existing === "unknown" ? new TextEncoder().encode(text).length : 0;
}

/** Decodes strictly: throws INVALID_ARGUMENTS for anything that is not base64, so that garbage is never written. */
function fromBase64(text: string, parameter: string): Uint8Array {
  const compact = text.replace(/[\r\n\t ]+/g, "");
  const tail = compact.length % 4;
  const isComplete = compact.endsWith("=") ? tail === 0 : tail !== 1;
  if (!isComplete || !BASE64.test(compact)) throw notBase64(parameter);
  const binary = atob(compact);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

function notBase64(parameter: string): ToolError {
  return new ToolError("INVALID_ARGUMENTS", `${parameter} is not base64`, {
    hint: 'With encoding "base64", content must be base64. Omit encoding to write text.',
  });
}
