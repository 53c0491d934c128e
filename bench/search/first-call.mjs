// One search in a fresh process; prints its milliseconds, from before the engine is loaded to the answer.
import { openEngine, spawnRipgrep } from "./contenders.mjs";

const [contender, root, engine] = process.argv.slice(2);
const pattern = { pattern: "needleInHaystack", ignoreCase: false };
const started = performance.now();
if (contender === "rg") await spawnRipgrep(root, pattern);
else await (await openEngine(new URL(engine), root)).search(pattern);
process.stdout.write(String(performance.now() - started));
process.exit(0);
