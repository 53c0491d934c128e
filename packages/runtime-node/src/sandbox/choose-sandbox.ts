import { ToolError } from "@haft/core";
import type { CodeSandbox } from "@haft/core/capabilities";
import { BACK_ENDS, type BackEnd } from "./back-ends.js";
import type { SandboxOptions } from "./box-context.js";
import { BoxTurns } from "./box-turns.js";
import type { SandboxTier } from "./sandbox-limits.js";

type ConfinedChoice = Exclude<SandboxTier, "unconfined">;

/** The tier that runs code on this machine, or the reason for its absence and how to fix it. */
export interface SandboxFindings {
  readonly tier: Exclude<ConfinedChoice, "auto"> | "none";
  /** The result of the probe, or why better tiers do not work, for users. */
  readonly detail: string;
  /** How to get a better tier. */
  readonly fix?: string;
}

interface ChoosingOptions extends SandboxOptions {
  readonly tier?: SandboxTier | undefined;
  /** Replaces the probes, to test machines that have less than this one. */
  readonly probes?: SandboxProbes | undefined;
}

export type SandboxProbes = Readonly<Partial<Record<BackEnd["tier"], () => Promise<unknown>>>>;

/**
 * Returns the sandbox of this machine. Probes once, before the first run. If the tier does not work, nothing runs
 * without it.
 */
export function chooseSandbox(options: ChoosingOptions): CodeSandbox {
  const turns = new BoxTurns(options.limits.boxes);
  let chosen: Promise<CodeSandbox> | undefined;
  let tier: string = options.tier ?? "auto";
  return {
    get tier() {
      return tier;
    },
    async run(request, signal) {
      chosen ??= choose({ ...options, freeTurns: () => turns.free });
      const sandbox = await chosen;
      tier = sandbox.tier;
      const run = () => sandbox.run(request, signal);
      return request.live === true ? turns.takeForLong(run) : turns.take(signal, run);
    },
    dispose: async () => (await chosen?.catch(() => undefined))?.dispose?.(),
  };
}

/** Finds out whether commands run in a box here. */
export class BoxProbe {
  readonly #boxes: readonly BackEnd[];
  #found: Promise<boolean> | undefined;
  #answer: boolean | undefined;

  constructor(tier: SandboxTier = "auto") {
    this.#boxes = backEndsOf(tier).filter(({ isBox }) => isBox);
    if (this.#boxes.length === 0) this.#answer = false;
  }

  /** Probes once. Never rejects. */
  find(): Promise<boolean> {
    this.#found ??= this.#probe();
    return this.#found;
  }

  /** The probe's result; undefined until it has ended. */
  get answer(): boolean | undefined {
    return this.#answer;
  }

  async #probe(): Promise<boolean> {
    for (const box of this.#boxes) {
      this.#answer = await box.probe().then(
        () => true,
        () => false,
      );
      if (this.#answer) return true;
    }
    return false;
  }
}

/** Runs the same probes before any code runs. Never rejects. */
export async function probeSandbox(
  tier: ConfinedChoice = "auto",
  probes: SandboxProbes = {},
): Promise<SandboxFindings> {
  const objections: ToolError[] = [];
  for (const backEnd of backEndsOf(tier)) {
    try {
      const found = await probed(backEnd, probes);
      const fix = fixOf(objections[0]);
      const why = objections.length === 0 ? "" : ` (${reasons(objections)})`;
      const detail = `${backEnd.describe(found)}${why}`;
      return {
        tier: backEnd.tier as Exclude<ConfinedChoice, "auto">,
        detail,
        ...(fix !== undefined && { fix }),
      };
    } catch (error) {
      objections.push(asObjection(error));
    }
  }
  const fixes = objections.flatMap((each) => fixOf(each) ?? []);
  const fix = fixes.length === 0 ? {} : { fix: fixes.join(", or ") };
  return { tier: "none", detail: reasons(objections), ...fix };
}

async function choose(options: ChoosingOptions): Promise<CodeSandbox> {
  const { tier = "auto", probes = {} } = options;
  const objections: ToolError[] = [];
  for (const backEnd of backEndsOf(tier)) {
    try {
      return backEnd.open(options, await probed(backEnd, probes));
    } catch (error) {
      objections.push(asObjection(error));
    }
  }
  throw noSandbox(objections);
}

function probed({ tier, probe }: BackEnd, probes: SandboxProbes): Promise<unknown> {
  return (probes[tier] ?? probe)();
}

/** Returns every confining back end for "auto", otherwise the named one. */
function backEndsOf(tier: SandboxTier): readonly BackEnd[] {
  return BACK_ENDS.filter((each) => (tier === "auto" ? each.isConfined : each.tier === tier));
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
