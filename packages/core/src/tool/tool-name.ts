/** The grammar for tool names, accepted by every provider. */
const TOOL_NAME = /^[a-z][a-z0-9_]{0,63}$/;

export function assertToolName(name: string): void {
  if (TOOL_NAME.test(name)) return;
  throw new TypeError(
    `"${name}" is not a tool name: lower-case letters, digits and _, starting with a letter, at most 64 characters`,
  );
}
