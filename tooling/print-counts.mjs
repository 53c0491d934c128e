// The closing lines of CI, from the verdict of the test run: why it failed, where it did, and the counts.
import { readFileSync } from "node:fs";

const { passed, failed, skipped, why } = JSON.parse(readFileSync(process.argv[2], "utf8"));
if (why !== undefined) console.log(`\ntests: ${why}`);
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
