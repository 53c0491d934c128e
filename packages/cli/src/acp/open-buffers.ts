import {
  type AnyToolClass,
  type ApprovalPolicy,
  type PolicyRequest,
  s,
  ToolError,
  toolDefinition,
  type WorkspaceStore,
} from "@haft/core";
import { unannouncedTool } from "@haft/core/kernel";
import { namedPolicy } from "@haft/core/policy";

/** Returns the text of an editor buffer, including unsaved changes. Undefined if the editor does not provide it. */
export type ReadBuffer = (absolutePath: string) => Promise<string | undefined>;

type BufferWorkspace = Pick<WorkspaceStore, "absolute" | "readText" | "stat">;

/**
 * Denies calls on a file whose editor buffer has unsaved changes. The file on disk differs from what the user sees, and
 * the next save would overwrite a change on disk. The denial names the tool that reads the buffer.
 */
export function unsavedBufferPolicy(
  readBuffer: ReadBuffer,
  workspace: () => BufferWorkspace,
): ApprovalPolicy {
  return namedPolicy("unsaved changes", async (request) => {
    if (request.definition.name === READ_OPEN_FILE) return undefined;
    for (const path of touched(request)) {
      if (!(await hasUnsavedChanges(path, readBuffer, workspace()))) continue;
      return {
        effect: "deny",
        because: `${path} is open in the editor with unsaved changes. Read it with ${READ_OPEN_FILE}. Ask the user to save it before you change it`,
      };
    }
    return undefined;
  });
}

/**
 * Creates a tool that reads a file from the editor. Its results are truncated and redacted like those of every tool.
 */
export function readOpenFileTool(readBuffer: ReadBuffer, workspace: () => BufferWorkspace): AnyToolClass {
  return unannouncedTool(definition, async ({ path }: { readonly path: string }) => {
    const text = await readBuffer(workspace().absolute(path));
    if (text === undefined) throw new ToolError("FILE_NOT_FOUND", `The editor cannot read ${path}`);
    return { path, content: text };
  });
}

const READ_OPEN_FILE = "read_open_file";

const definition = toolDefinition({
  name: READ_OPEN_FILE,
  summary: "Read a file as the user's editor shows it, with unsaved changes.",
  brief: {
    description: "Read a file as the user's editor shows it, with unsaved changes.",
    parameters: { path: "The file" },
  },
  category: "read",
  permissions: ["ReadFiles"],
  approval: "auto",
  idempotent: true,
  errors: ["FILE_NOT_FOUND"],
  input: s.object({ path: s.path("The file") }),
  output: s.object({ path: s.string("The file"), content: s.string("Its text in the editor") }),
  render: ({ content }) => content,
});

/** Returns changed files and files named in the arguments. */
function touched({ changes, paths = [] }: PolicyRequest): readonly string[] {
  return [...new Set([...changes.map(({ path }) => path), ...paths])].slice(0, MAX_PATHS);
}

const MAX_PATHS = 50;

async function hasUnsavedChanges(
  path: string,
  readBuffer: ReadBuffer,
  workspace: BufferWorkspace,
): Promise<boolean> {
  const saved = await savedText(path, workspace);
  if (saved === undefined) return false;
  const shown = await readBuffer(workspace.absolute(path));
  return shown !== undefined && normalized(shown) !== normalized(saved);
}

/** Returns undefined unless the path is a text file in the workspace; the call itself reports that. */
async function savedText(path: string, workspace: BufferWorkspace): Promise<string | undefined> {
  try {
    const { type, size } = await workspace.stat(path);
    return type === "file" && size <= MAX_BYTES ? await workspace.readText(path) : undefined;
  } catch {
    return undefined;
  }
}

const MAX_BYTES = 4 * 1024 * 1024;

/** Ignores differences in line endings and in the final newline, which editors handle differently. */
function normalized(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(/\n$/, "");
}
