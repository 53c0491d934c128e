import { PatternError } from "@haft/text/path-rules";
import { PathFilter } from "./engine/walk/path-filter.js";
import { DEFAULT_WALK } from "./engine/walk/walk-options.js";
import { repairGlob } from "./glob/repair-glob.js";
import { invalidPattern } from "./invalid-pattern.js";
import { asList } from "./string-list.js";

interface GlobCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The parameters that contain globs. */
  readonly parameters: readonly string[];
}

/**
 * Returns INVALID_PATTERN for the glob that caused the error, and the call with it removed or repaired; undefined if
 * none did.
 */
export function invalidGlob(error: unknown, call: GlobCall): unknown {
  if (!(error instanceof PatternError)) return undefined;
  for (const parameter of call.parameters) {
    const globs = asList(call.args[parameter] as string | readonly string[] | undefined);
    const refused = globs.find((glob) => problemOf(glob)?.construct === error.construct);
    if (refused !== undefined) return refusal(call, { parameter, refused, globs });
  }
  return undefined;
}

interface RefusedGlob {
  readonly parameter: string;
  readonly refused: string;
  readonly globs: readonly string[];
}

function refusal({ tool, args }: GlobCall, { parameter, refused, globs }: RefusedGlob): unknown {
  const isEmpty = refused === "";
  const rewrite = isEmpty ? undefined : repairGlob(refused);
  const others = globs.flatMap((glob) => (glob !== refused ? [glob] : (rewrite ?? [])));
  const { [parameter]: _, ...rest } = args;
  const mended = others.length === 0 ? rest : { ...rest, [parameter]: others };
  const problem = isEmpty ? new PatternError("empty glob", 0, "leave it out") : problemOf(refused);
  return invalidPattern(problem, {
    kind: parameter,
    pattern: refused,
    rewrite,
    syntax: `Each ${parameter} is a name or a glob such as *.ts, src/** or *.{js,ts}.`,
    next: isEmpty || rewrite !== undefined ? { tool, args: mended } : undefined,
  });
}

function problemOf(glob: string): PatternError | undefined {
  try {
    void new PathFilter({ ...DEFAULT_WALK, globs: [glob] });
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) return error;
    throw error;
  }
}
