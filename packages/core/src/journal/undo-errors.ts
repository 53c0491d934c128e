import { messageOf, ToolError } from "../error/tool-error.js";

/** Content that the workspace rules prevent from being restored is not lost: the error names its location. */
export function inTrash(path: string, place: string, cause: unknown): ToolError {
  const code = ToolError.is(cause) ? cause.code : "EXECUTION_ERROR";
  return new ToolError(code, `Cannot put ${path} back: ${messageOf(cause)}`, {
    hint: `Nothing was changed. All of it is in ${place}: move it back by hand.`,
    cause,
  });
}

export function lost(path: string): ToolError {
  return new ToolError("IO_ERROR", `What was deleted at ${path} is no longer in the trash`);
}
