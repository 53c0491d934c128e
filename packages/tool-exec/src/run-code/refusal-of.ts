import { ToolError } from "@haft/core";

/** Returns the error that a check throws, for a tool to report before approval is requested. */
export async function refusalOf(check: () => unknown): Promise<ToolError | undefined> {
  try {
    await check();
    return undefined;
  } catch (thrown) {
    if (ToolError.is(thrown)) return thrown;
    throw thrown;
  }
}
