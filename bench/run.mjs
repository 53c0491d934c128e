// Runs one benchmark against the built packages: node bench/run.mjs NAME [arguments]
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";

const [name, ...rest] = process.argv.slice(2);
const names = readdirSync(new URL(".", import.meta.url)).filter((each) =>
  existsSync(new URL(`./${each}/run.mjs`, import.meta.url)),
);
if (!names.includes(name)) {
  console.error(`usage: pnpm bench NAME, where NAME is one of ${names.join(", ")}`);
  process.exit(2);
}
const script = new URL(`./${name}/run.mjs`, import.meta.url).pathname;
const child = spawn(process.execPath, ["--expose-gc", script, ...rest], { stdio: "inherit" });
child.on("exit", (code) => process.exit(code ?? 1));
