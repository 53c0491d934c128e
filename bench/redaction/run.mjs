// Measures how often ordinary lines are mistaken for credentials, and how fast output is redacted.
// pnpm bench redaction FOLDER...    source trees, such as node_modules/.pnpm and checkouts of other projects
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { redactShapes } from "@haft/text";

const folders = process.argv.slice(2);
if (folders.length === 0) {
  console.error("usage: pnpm bench redaction FOLDER...");
  process.exit(2);
}

const MAX_BYTES = 1024 * 1024;
const TEXT = /\.(?:[cm]?[jt]sx?|json|md|py|go|rs|c|h|java|rb|sh|ya?ml|toml|txt|html|css|po)$/;
const PLACEHOLDER = /\[secret:([\w-]+)\]/g;
const total = { files: 0, lines: 0, chars: 0, ms: 0 };
const alarms = new Map();

for (const folder of folders) for (const file of filesIn(folder)) measure(readFileSync(file, "utf8"), file);
report();

function* filesIn(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const entry = lstatSync(path);
    if (entry.isDirectory()) yield* filesIn(path);
    else if (entry.isFile() && entry.size <= MAX_BYTES && TEXT.test(name)) yield path;
  }
}

function measure(text, file) {
  const startedAt = performance.now();
  const redacted = redactShapes(text);
  total.ms += performance.now() - startedAt;
  total.files++;
  total.lines += text.split("\n").length;
  total.chars += text.length;
  if (redacted === text) return;
  const before = text.match(PLACEHOLDER)?.length ?? 0;
  for (const [, name] of [...redacted.matchAll(PLACEHOLDER)].slice(before)) {
    alarms.set(name, [...(alarms.get(name) ?? []), file]);
  }
}

function report() {
  const rows = [...alarms].map(([name, files]) => [
    name,
    { found: files.length, example: files[0]?.slice(-60) },
  ]);
  console.table(Object.fromEntries(rows));
  const found = [...alarms.values()].reduce((sum, files) => sum + files.length, 0);
  const perTenThousand = ((found / total.lines) * 10_000).toFixed(3);
  const speed = (total.chars / 1e6 / (total.ms / 1e3)).toFixed(0);
  console.log(
    `redaction: ${found} found in ${total.lines} lines of ${total.files} files, ${perTenThousand} in 10,000; ${speed} million characters a second`,
  );
}
