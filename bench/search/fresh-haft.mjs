// One grep in a fresh process, as a program that uses the pack does it.
import "@haft/tool-search";
import { createNodeRuntime } from "@haft/runtime-node";

const runtime = await createNodeRuntime({ workspace: process.argv[2], role: "reader" });
const result = await runtime.call("grep", { pattern: "needleInHaystack", case_sensitive: true });
process.stdout.write(String(result.value?.totalMatches ?? result.text));
await runtime.dispose();
