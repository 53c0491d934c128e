import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

export const ROOT = resolve(import.meta.dirname, "../..");

export interface SourceFile {
  /** Relative to the repository. */
  readonly path: string;
  readonly packageName: string;
  readonly text: string;
}

/** Returns every TypeScript file of the packages that ships: no tests, no fixtures. */
export function shippedSources(): readonly SourceFile[] {
  return packageNames().flatMap((packageName) => {
    const source = join(ROOT, "packages", packageName, "src");
    return readdirSync(source, { recursive: true, encoding: "utf8" })
      .filter(
        (name) => name.endsWith(".ts") && !/\.test\.ts$|\.fixture\.ts$|fixtures\/|\/corpus\//.test(name),
      )
      .map((name) => join(source, name))
      .map((path) => ({ path: relative(ROOT, path), packageName, text: readFileSync(path, "utf8") }));
  });
}

export function packageNames(): readonly string[] {
  return readdirSync(join(ROOT, "packages")).sort();
}

/** Returns the source file of each entry that a package exports, by its specifier ("@haft/core/policy"). */
export function entriesOf(packageName: string): ReadonlyMap<string, string> {
  const { name, exports = {} } = packageJson(packageName);
  const sources = Object.entries(exports).flatMap(([path, target]) =>
    typeof target === "string" ? [] : [[path, target["@haft/source"]] as const],
  );
  return new Map(
    sources.map(([path, source]) => [name + path.slice(1), join(ROOT, "packages", packageName, source)]),
  );
}

/** Returns the names that a file exports, declared or re-exported. */
export function exportedNames(file: string): readonly string[] {
  const text = readFileSync(file, "utf8");
  const listed = [...text.matchAll(/export\s+(?:type\s+)?\{([^}]*)\}/g)].flatMap(([, list = ""]) =>
    list.split(",").map((entry) => entry.replace(/\btype\b|\/\/.*$|^.* as /gm, "").trim()),
  );
  const declared = [
    ...text.matchAll(/^export (?:async function|function|const|class|interface|type) (\w+)/gm),
  ];
  return [...listed, ...declared.map(([, name = ""]) => name)].filter(Boolean).sort();
}

export function packageJson(packageName: string): PackageJson {
  return JSON.parse(readFileSync(join(ROOT, "packages", packageName, "package.json"), "utf8"));
}

export interface PackageJson {
  readonly name: string;
  readonly sideEffects?: boolean;
  readonly haft?: { readonly pack?: boolean };
  readonly exports?: Readonly<Record<string, string | { readonly "@haft/source": string }>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}
