// One grep in a fresh process, by a program that uses the pack.
import "@haft/tool-search";
import { createNodeRuntime } from "@haft/runtime-node";

const runtime = await createNodeRuntime({ workspace: process.argv[2], role: "reader" });
const result = await runtime.call("grep", { pattern: "needleInHaystack", case_sensitive: true });
process.stdout.write(String(result.value?.totalMatches ?? result.text));
await runtime.dispose();
