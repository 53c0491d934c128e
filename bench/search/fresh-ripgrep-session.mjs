// A session of a program that spawns ripgrep.
import { spawnRipgrep } from "./ripgrep.mjs";
import { timeSession } from "./session-calls.mjs";

const [root, mode] = process.argv.slice(2);
await timeSession(mode, (kind) => spawnRipgrep(root, kind));
