import { type CodeSandbox, ToolError } from "@haft/core";
import { type BubblewrapOptions, bubblewrapSandbox } from "./bubblewrap-sandbox.js";
import { findBubblewrap } from "./find-bubblewrap.js";
import { findPortable, type PortablePrograms, portableSandbox } from "./portable-sandbox.js";
import type { SandboxTier } from "./sandbox-limits.js";
import { unconfinedRunner } from "./unconfined-runner.js";

type ConfinedChoice = Exclude<SandboxTier, "unconfined">;

/** What this machine offers: the tier that runs code, or why there is none and what to do. */
export interface SandboxFindings {
  readonly tier: Exclude<ConfinedChoice, "auto"> | "none";
  /** For people: what was found, or why the better tiers do not work. */
  readonly detail: string;
  /** What would give a better tier. */
  readonly fix?: string;
}

export interface ChoosingOptions extends BubblewrapOptions {
  readonly tier?: SandboxTier | undefined;
  /** The probes, for tests of machines that have less than this one. */
  readonly probes?: SandboxProbes | undefined;
}

export interface SandboxProbes {
  bubblewrap(): Promise<unknown>;
  portable(): Promise<PortablePrograms>;
}

/** The sandbox of this machine. It is probed once, before the first run; what does not work is not run without. */
export function chooseSandbox(options: ChoosingOptions): CodeSandbox {
  let chosen: Promise<CodeSandbox> | undefined;
  let tier: string = options.tier ?? "auto";
  return {
    get tier() {
      return tier;
    },
    async run(request, signal) {
      chosen ??= choose(options);
      const sandbox = await chosen;
      tier = sandbox.tier;
      return sandbox.run(request, signal);
    },
  };
}

/** The same probes, for whoever wants to know before code is run. Never rejects. */
export async function probeSandbox(
  tier: ConfinedChoice = "auto",
  probes: SandboxProbes = PROBES,
): Promise<SandboxFindings> {
  const objections: ToolError[] = [];
  for (const one of tiersOf(tier)) {
    try {
      const found = await probes[one]();
      const fix = fixOf(objections[0]);
      return { tier: one, detail: detailOf(one, found, objections), ...(fix !== undefined && { fix }) };
    } catch (error) {
      objections.push(asObjection(error));
    }
  }
  const fixes = objections.flatMap((each) => fixOf(each) ?? []);
  const fix = fixes.length === 0 ? {} : { fix: fixes.join(", or ") };
  return { tier: "none", detail: reasons(objections), ...fix };
}

async function choose(options: ChoosingOptions): Promise<CodeSandbox> {
  const { tier = "auto", probes = PROBES } = options;
  if (tier === "unconfined") return unconfinedRunner(options);
  const objections: ToolError[] = [];
  for (const one of tiersOf(tier)) {
    try {
      const found = await probes[one]();
      return one === "bubblewrap"
        ? bubblewrapSandbox(options)
        : portableSandbox({ ...options, programs: found as PortablePrograms });
    } catch (error) {
      objections.push(asObjection(error));
    }
  }
  throw noSandbox(objections);
}

const PROBES: SandboxProbes = { bubblewrap: () => findBubblewrap(), portable: () => findPortable() };

function tiersOf(tier: ConfinedChoice): readonly Exclude<ConfinedChoice, "auto">[] {
  return tier === "auto" ? ["bubblewrap", "portable"] : [tier];
}

function detailOf(tier: string, found: unknown, objections: readonly ToolError[]): string {
  if (tier === "bubblewrap") return "bubblewrap, namespaces work";
  const { version } = found as PortablePrograms;
  const why = objections.length === 0 ? "" : ` (${reasons(objections)})`;
  return `portable, just-bash ${version}: bash and Python without programs of the system${why}`;
}

function fixOf(objection: ToolError | undefined): string | undefined {
  const fix = objection?.details?.fix;
  return fix === undefined ? undefined : String(fix);
}

function reasons(objections: readonly ToolError[]): string {
  return objections.map(({ message }) => message.slice(message.indexOf(": ") + 2)).join("; ");
}

function asObjection(error: unknown): ToolError {
  if (ToolError.is(error)) return error;
  throw error;
}

function noSandbox(objections: readonly ToolError[]): ToolError {
  const fixes = objections.flatMap((each) => fixOf(each) ?? []);
  return new ToolError("SANDBOX_UNAVAILABLE", `Code cannot be run: ${reasons(objections)}`, {
    hint: `Nothing was run; code never runs unconfined.${fixes.length === 0 ? "" : ` To fix it, ${fixes.join(", or ")}.`} haft doctor shows what was found.`,
    details: { fixes },
    cause: objections[0],
  });
}
