// One search in a fresh process that spawns ripgrep.
import { spawnRipgrep } from "./ripgrep.mjs";

process.stdout.write(String(await spawnRipgrep(process.argv[2], { pattern: "needleInHaystack" })));
