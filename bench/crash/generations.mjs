// The content that the writer writes and the checker expects: successive generations of the same few files.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const SIZE = 256 * 1024;

/** Returns the content as bytes, because this benchmark does not measure encoding. */
const bytesOf = (generation) => Buffer.from(contentOf(generation));

/** Every byte of a file identifies its generation, so a torn file cannot pass for a whole one. */
export function contentOf(generation) {
  const line = `generation ${generation}\n`;
  return line.repeat(Math.ceil(SIZE / line.length));
}

export const SCENARIOS = {
  /** A new file per generation: absent or complete. */
  create: {
    seed: () => {},
    write: (overlay, generation) => overlay.createBytes(`f-${generation}`, bytesOf(generation)),
    check: (root) => {
      for (const name of readdirSync(root)) assertWhole(root, name, Number(name.slice(2)));
    },
  },
  /** One file, replaced each time: old or new. */
  overwrite: {
    seed: (overlay) => overlay.createBytes("file", bytesOf(0)),
    write: (overlay, generation) => overlay.writeBytes("file", bytesOf(generation)),
    check: (root) => void generationOf(root, "file"),
  },
  /** Modifies, a create below a new directory, a move and a recursive delete as one commit: all old or all new. */
  several: {
    seed: async (overlay) => {
      for (const name of ["a", "b", "c"]) await overlay.createText(name, contentOf(0));
      await overlay.createText("moved-0", "moved");
      await overlay.createText("dir-0/below/x", contentOf(0));
    },
    write: async (overlay, generation) => {
      await overlay.writeBytes("a", bytesOf(generation));
      await overlay.move(`moved-${generation - 1}`, `moved-${generation}`);
      await overlay.writeBytes("b", bytesOf(generation));
      await overlay.createText(`dir-${generation}/below/x`, contentOf(generation));
      await overlay.remove(`dir-${generation - 1}`, { recursive: true });
      await overlay.writeBytes("c", bytesOf(generation));
    },
    check: (root) => {
      const generation = generationOf(root, "a");
      for (const name of ["b", "c", `dir-${generation}/below/x`]) assertWhole(root, name, generation);
      const expected = ["a", "b", "c", `dir-${generation}`, `moved-${generation}`];
      const found = readdirSync(root).sort();
      if (found.join() !== expected.join()) throw new Error(`between: ${found} instead of ${expected}`);
    },
  },
};

/** Returns the current generation of the workspace, so that the writer can continue from it. */
export function lastGeneration(scenario, root) {
  if (scenario !== "create") return generationOf(root, existsSync(join(root, "file")) ? "file" : "a");
  return Math.max(0, ...readdirSync(root).map((name) => Number(name.slice(2))));
}

function generationOf(root, name) {
  const generation = Number(/^generation (\d+)\n/.exec(readFileSync(join(root, name), "utf8"))?.[1]);
  assertWhole(root, name, generation);
  return generation;
}

function assertWhole(root, name, generation) {
  const found = readFileSync(join(root, name), "utf8");
  if (found !== contentOf(generation)) throw new Error(`torn: ${name} has ${found.length} characters`);
}
