// Calls ripgrep from Node. Imports nothing else, because a fresh process loads it alone.
import { spawn } from "node:child_process";

/**
 * Does what most agents do: spawns ripgrep and parses its JSON, for the same files (none over 1 MB). Returns the number
 * of matching lines.
 */
export async function spawnRipgrep(root, { pattern, ignoreCase }) {
  const text = await run(root, [
    "--json",
    "--no-config",
    "--no-ignore-parent",
    "--max-filesize",
    "1M",
    ignoreCase ? "-i" : "-s",
    "-e",
    pattern,
    ".",
  ]);
  let lines = 0;
  for (const line of text.split("\n")) if (line !== "" && JSON.parse(line).type === "match") lines++;
  return lines;
}

/** Runs `rg --files` with a glob. Returns the number of files. */
export async function listWithRipgrep(root, glob) {
  const text = await run(root, ["--files", "--no-config", "--no-ignore-parent", "-g", glob]);
  return text.split("\n").filter((line) => line !== "").length;
}

function run(root, args) {
  return new Promise((resolve, reject) => {
    const child = spawn("rg", args, { cwd: root, stdio: ["ignore", "pipe", "ignore"] });
    let text = "";
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (chunk) => {
      text += chunk;
    });
    child.on("error", reject);
    child.on("close", () => resolve(text));
  });
}
