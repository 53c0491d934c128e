import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type ScaffoldKind, scaffold } from "./scaffold.js";
import { ScaffoldError } from "./scaffold-error.js";
import { writeScaffold } from "./write-scaffold.js";

export interface CreateIo {
  readonly cwd: string;
  /** Prints one message for the person. */
  print(text: string): void;
}

/** The command behind `npm create @haft/tool`. Asks nothing; returns the exit code. */
export async function createFromArguments(args: readonly string[], io: CreateIo): Promise<number> {
  try {
    const { values, positionals } = parse(args);
    const [name] = positionals;
    if (values.help || name === undefined) {
      io.print(HELP);
      return values.help ? 0 : 2;
    }
    const made = scaffold({
      kind: kindOf(values.kind),
      name,
      language: values.js ? "js" : "ts",
      style: values.decorator ? "decorator" : "plain",
      version: ownVersion(),
    });
    await writeScaffold(made, io.cwd);
    io.print(`Created ${made.created}. Next:\n${made.next.map((command) => `  ${command}`).join("\n")}`);
    return 0;
  } catch (error) {
    if (!(error instanceof ScaffoldError)) throw error;
    io.print([`${error.code}: ${error.message}`, error.hint].filter(Boolean).join("\n"));
    return 2;
  }
}

const HELP = `Usage: npm create @haft/tool NAME -- [options]

Options:
  --js            plain JavaScript without a build (default: TypeScript)
  --decorator     a class with @tool (default: defineTool)
  --kind <kind>   tool, pack (several tools with a service) or role
  --help          show help

Example:
  npm create @haft/tool word-count`;

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        js: { type: "boolean", default: false },
        decorator: { type: "boolean", default: false },
        kind: { type: "string", default: "tool" },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw new ScaffoldError("USAGE", (error as Error).message, HELP);
  }
}

function kindOf(kind: string): ScaffoldKind {
  if (kind === "tool" || kind === "pack" || kind === "role") return kind;
  throw new ScaffoldError("USAGE", `${JSON.stringify(kind)} is not a kind`, "Use tool, pack or role.");
}

function ownVersion(): string {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
