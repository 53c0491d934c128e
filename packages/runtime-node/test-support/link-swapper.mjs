// Swaps a directory for a link to the outside and back, as fast as it can, until its parent process ends.
import { renameSync, symlinkSync } from "node:fs";

const [directory, outside, maxPauseMs] = process.argv.slice(2);
symlinkSync(outside, `${directory}.link`);
process.send?.("ready");
process.on("disconnect", () => process.exit(0));
let strays = 0;

// The name is free between two renames, so the other side may have created a directory there.
function take(from) {
  for (;;) {
    try {
      renameSync(from, directory);
      return;
    } catch {
      strays += 1;
      renameSync(directory, `${directory}.stray-${strays}`);
    }
  }
}

// A write takes long: an attack without pauses would only reach its first step.
function pause() {
  const end = performance.now() + Math.random() * Number(maxPauseMs);
  while (performance.now() < end);
}

function swap() {
  for (let round = 0; round < 200; round += 1) {
    renameSync(directory, `${directory}.real`);
    take(`${directory}.link`);
    renameSync(directory, `${directory}.link`);
    take(`${directory}.real`);
    pause();
  }
  setImmediate(swap);
}
swap();
