import { buffer } from "node:stream/consumers";
import type { CliIo } from "../cli-io.js";

/** The text of a call's arguments, for the kernel to read: what is wrong with it is told like any wrong argument. */
export async function readArguments(given: string | undefined, { stdin }: CliIo): Promise<string> {
  if (given !== "-") return given ?? "{}";
  return (await buffer(stdin)).toString("utf8");
}
