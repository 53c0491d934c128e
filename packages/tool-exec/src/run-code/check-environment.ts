import { ToolError } from "@haft/core";

/** Throws INVALID_ARGUMENTS for names or values that cannot be environment variables. */
export function checkEnvironment(env: Readonly<Record<string, string>> = {}): void {
  for (const [name, value] of Object.entries(env)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      throw invalid(`${JSON.stringify(name.slice(0, 80))} is not the name of a variable`);
    if (value.includes("\0")) throw invalid(`The value of ${name} contains NUL`);
  }
}

function invalid(message: string): ToolError {
  return new ToolError("INVALID_ARGUMENTS", message, {
    hint: "It did not run. A name consists of letters, digits and _, and does not start with a digit. A value must not contain NUL.",
  });
}
