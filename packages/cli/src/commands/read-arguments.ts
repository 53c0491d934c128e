import type { CliIo } from "../cli-io.js";

/** The text of a call's arguments, for the kernel to read: what is wrong with it is told like any wrong argument. */
export async function readArguments(given: string | undefined, io: CliIo): Promise<string> {
  if (given !== "-") return given ?? "{}";
  const { buffer } = await import("node:stream/consumers");
  return (await buffer(io.stdin)).toString("utf8");
}
