import { type PackNames, packNames } from "./pack-names.js";
import { readName } from "./read-name.js";
import { ScaffoldError } from "./scaffold-error.js";
import { packSources } from "./template/pack-sources.js";
import { projectFiles } from "./template/project-files.js";
import { toolSources } from "./template/tool-sources.js";

export type ScaffoldKind = "tool" | "pack" | "role";

export interface ScaffoldOptions {
  readonly kind: ScaffoldKind;
  /** Lower-case words with `-` between them, such as `word-count`. A package may have a scope: `@me/word-count`. */
  readonly name: string;
  /** Default: "ts". */
  readonly language?: "ts" | "js";
  /** How tools are written: `defineTool`, or a class with `@tool`. Default: "plain". */
  readonly style?: "plain" | "decorator";
  /** The version of `@haft/core` and `@haft/testing` to depend on. */
  readonly version: string;
}

/** The files to write by path, relative to the current folder. */
export interface Scaffold {
  readonly folder: string;
  readonly files: Readonly<Record<string, string>>;
  /** The new folder or file, for messages. */
  readonly created: string;
  /** The commands to run next. */
  readonly next: readonly string[];
}

/** Generates the files of a tool, a pack or a role. Writes nothing. */
export function scaffold(options: ScaffoldOptions): Scaffold {
  const { kind, language = "ts", style = "plain", version } = options;
  const { name, scope } = readName(options.name, kind);
  if (kind === "role") {
    if (language === "js" || style === "decorator")
      throw new ScaffoldError(
        "USAGE",
        "A role is a JSON file without code",
        "Leave out --js and --decorator.",
      );
    return roleScaffold(name);
  }
  if (style === "decorator" && language === "js")
    throw new ScaffoldError("USAGE", "Decorators need TypeScript", "Leave out --js or --decorator.");
  const project: PackProject = { names: packNames(name, scope), kind, language, style, version };
  const sources = kind === "tool" ? toolSources(project) : packSources(project);
  const build = language === "ts" ? ["npm run build"] : [];
  return {
    folder: name,
    files: { ...projectFiles(project), ...sources },
    created: name,
    next: [`cd ${name}`, "npm install", "npm test", ...build, "npx @haft/cli tools --packs ."],
  };
}

/** The values that the templates of a package use. */
export interface PackProject {
  readonly names: PackNames;
  readonly kind: "tool" | "pack";
  readonly language: "ts" | "js";
  readonly style: "plain" | "decorator";
  readonly version: string;
}

function roleScaffold(name: string): Scaffold {
  const file = `${name}.json`;
  const path = `.haft/${file}`;
  return {
    folder: ".haft",
    files: { [file]: roleFile(name) },
    created: path,
    next: [`npx @haft/cli role check ${path}`, `npx @haft/cli tools --role ${path}`],
  };
}

/** A role that may read everything and write below docs/. */
function roleFile(name: string): string {
  const role = {
    $schema: "https://unpkg.com/@haft/runtime-node/src/roles/haft.role.schema.json",
    name,
    permissions: ["ReadFiles", "WriteFiles", "CreateFiles"],
    rules: [
      { effect: "allow", when: { path: "docs/**", change: ["create", "modify"] } },
      {
        effect: "deny",
        when: { path: { not: "docs/**" }, change: ["create", "modify", "delete", "move"] },
        reason: `${name} writes below docs/ only`,
      },
    ],
  };
  return `${JSON.stringify(role, undefined, 2)}\n`;
}
