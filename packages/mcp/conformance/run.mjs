// The official conformance suite against the fixture server, in both revisions. It needs Node 22, which npx brings.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SUITE = [
  "-y",
  "-p",
  "node@22",
  "-p",
  "@modelcontextprotocol/conformance@0.2.0-alpha.12",
  "--",
  "conformance",
];
const here = (file) => fileURLToPath(new URL(file, import.meta.url));

// From an empty folder, so that npx takes nothing of this repository.
const folder = mkdtempSync(join(tmpdir(), "haft-conformance-"));
const server = spawn(process.execPath, [here("./fixture-server.mjs")], {
  stdio: ["ignore", "pipe", "inherit"],
});
const [line] = await once(server.stdout, "data");
const url = String(line).trim();
try {
  for (const version of ["2025-11-25", "2026-07-28"]) {
    const code = await judge(url, version);
    process.stdout.write(
      `${`conformance ${version}: ${code === 0 ? "as expected" : `exit code ${code}`}`}\n`,
    );
    if (code !== 0) process.exitCode = 1;
  }
} finally {
  server.kill("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
}

async function judge(url, version) {
  const expected = here(`./expected-failures-${version}.yml`);
  const args = [
    "server",
    "--url",
    url,
    "--spec-version",
    version,
    "--suite",
    "all",
    "--expected-failures",
    expected,
  ];
  const suite = spawn("npx", [...SUITE, ...args], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  suite.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const [code] = await once(suite, "close");
  process.stdout.write(`${output.slice(output.lastIndexOf("=== SUMMARY"))}\n`);
  return code;
}
