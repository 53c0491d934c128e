// A process that calls a contained tool and is killed by the test, or ends by itself.
import { createRuntime } from "@haft/core";
import { MemoryWorkspace } from "@haft/core/memory";
import { loadPackFolder } from "../src/packs/load-pack-folder.js";

const [folder, tool] = process.argv.slice(2) as [string, string];
const { tools } = await loadPackFolder(folder, { contain: true });
const runtime = await createRuntime({ workspace: new MemoryWorkspace({}), role: "editor", tools });
const { text } = await runtime.call(tool, {});
process.stdout.write(`${text}\n`);
