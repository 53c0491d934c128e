// Prints the closing line of CI from the verdict of the test run.
import { readFileSync } from "node:fs";

const { passed, failed, skipped } = JSON.parse(readFileSync(process.argv[2], "utf8"));
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
