import { ToolError } from "@haft/core";
import type { CliIo } from "../cli-io.js";

/** Returns the arguments as text. The kernel parses them, so that mistakes are reported like any invalid argument. */
export async function readArguments(given: string | undefined, io: CliIo): Promise<string> {
  if (given !== "-") return given ?? "{}";
  const { buffer } = await import("node:stream/consumers");
  const bytes = await buffer(io.stdin);
  try {
    // Also removes a byte order mark, which some shells and editors write.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ToolError("INVALID_ARGUMENTS", "The arguments on standard input are not UTF-8", {
      hint: "Send them as UTF-8. To write other bytes, use the encoding argument of the tool.",
      cause,
    });
  }
}
