import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

export const ROOT = resolve(import.meta.dirname, "../..");

export interface SourceFile {
  /** Relative to the repository. */
  readonly path: string;
  readonly packageName: string;
  readonly text: string;
}

/** Every TypeScript file of the packages that ships: no tests, no fixtures. */
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

export function packageJson(packageName: string): PackageJson {
  return JSON.parse(readFileSync(join(ROOT, "packages", packageName, "package.json"), "utf8"));
}

export interface PackageJson {
  readonly name: string;
  readonly sideEffects?: boolean;
  readonly haft?: { readonly pack?: boolean };
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}
