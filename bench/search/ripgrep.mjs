// Calling ripgrep from Node. It imports nothing else: a fresh process loads it by itself.
import { spawn } from "node:child_process";

/** What most agents do: spawn ripgrep and parse its JSON; the same files, so none over 1 MB. The number of matching lines. */
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

/** `rg --files`, with a glob; the number of files. */
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
