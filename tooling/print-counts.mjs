// The closing line of CI, from vitest's own report.
import { readFileSync } from "node:fs";

const report = JSON.parse(readFileSync(process.argv[2], "utf8"));
const skipped = report.numPendingTests + report.numTodoTests;
console.log(`\n${report.numPassedTests} passed, ${report.numFailedTests} failed, ${skipped} skipped`);
