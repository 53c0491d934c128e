// Each package as it would be published: publint for its manifest, are-the-types-wrong for its types.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

const failures = [];
for (const name of readdirSync("packages")) {
  const folder = `packages/${name}`;
  if (JSON.parse(readFileSync(`${folder}/package.json`, "utf8")).private === true) continue;
  check(name, "publint", ["--strict", folder]);
  check(name, "attw", ["--pack", folder, "--profile", "esm-only", "--no-summary", "--format", "ascii"]);
}
if (failures.length > 0) {
  console.error(failures.join("\n\n"));
  process.exit(1);
}
console.log("every package is fit to be published");

function check(name, program, args) {
  try {
    execFileSync(`node_modules/.bin/${program}`, args, { encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    failures.push(`${name}: ${program}\n${error.stdout}${error.stderr}`);
  }
}
