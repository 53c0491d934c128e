import { join } from "node:path";
import type { PackageFolder } from "./package-folder.js";

/** Returns the file that `import` loads for a package, by Node's rules. */
export function packageEntry(
  { directory, manifest }: PackageFolder,
  conditions = activeConditions(),
): string | undefined {
  const { exports, main } = manifest;
  if (exports === undefined) return join(directory, main ?? "index.js");
  const target = pickTarget(rootExport(exports), new Set(conditions));
  return target === undefined ? undefined : join(directory, target);
}

function rootExport(exports: unknown): unknown {
  if (typeof exports !== "object" || exports === null || Array.isArray(exports)) return exports;
  const isByPath = Object.keys(exports).some((key) => key.startsWith("."));
  return isByPath ? (exports as Record<string, unknown>)["."] : exports;
}

function pickTarget(target: unknown, conditions: ReadonlySet<string>): string | undefined {
  if (typeof target === "string") return target;
  if (Array.isArray(target)) return firstDefined(target, (one) => pickTarget(one, conditions));
  if (typeof target !== "object" || target === null) return undefined;
  const open = Object.entries(target).filter(([name]) => name === "default" || conditions.has(name));
  return firstDefined(open, ([, below]) => pickTarget(below, conditions));
}

function firstDefined<T, R>(items: readonly T[], pick: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const picked = pick(item);
    if (picked !== undefined) return picked;
  }
  return undefined;
}

/** Returns Node's own conditions and those of this process (`node -C NAME`). */
function activeConditions(): readonly string[] {
  const args = process.execArgv;
  const given = args.flatMap((arg, index) => {
    if (arg === "-C" || arg === "--conditions") return args[index + 1] ?? [];
    return arg.startsWith("--conditions=") ? arg.slice("--conditions=".length) : [];
  });
  return ["node", "import", "module-sync", ...given];
}
