// A session of a program that uses the packages.
import "@haft/tool-search";
import { createNodeRuntime } from "@haft/runtime-node";
import { timeSession } from "./session-calls.mjs";

const [root, mode] = process.argv.slice(2);
const warm = mode === "pauses" ? "idle" : "off";
const runtime = await createNodeRuntime({ workspace: root, role: "reader", warm });
await timeSession(mode, async ({ pattern }) => {
  const result = await runtime.call("grep", { pattern, case_sensitive: true });
  if (!result.ok) throw new Error(result.text);
  return result.value.totalMatches;
});
await runtime.dispose();
