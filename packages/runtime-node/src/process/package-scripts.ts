import { lstatSync, readFileSync } from "node:fs";

/** Returns the scripts of a package.json by name. Empty if the file is missing, too large or malformed. */
export function packageScripts(file: string): Readonly<Record<string, string>> {
  try {
    const stats = lstatSync(file);
    if (!stats.isFile() || stats.size > MAX_PACKAGE_BYTES) return {};
    const { scripts } = JSON.parse(readFileSync(file, "utf8")) as { scripts?: unknown };
    if (typeof scripts !== "object" || scripts === null) return {};
    return Object.fromEntries(Object.entries(scripts).map(([name, text]) => [name, String(text)]));
  } catch {
    return {};
  }
}

const MAX_PACKAGE_BYTES = 1024 * 1024;
