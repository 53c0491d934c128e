import type { PathSelection } from "@haft/text";
import type { PolicyRequest } from "../approval/approval.js";
import type { CompiledPaths, CompiledRule } from "../approval/compiled-rule.js";
import type { PathGuard } from "../workspace/guarded-store.js";
import { isInside } from "../workspace/path-text.js";
import type { FileType } from "../workspace/workspace.js";
import type { LocalFolder } from "../workspace/workspace-store.js";
import { approveCall } from "./approve-call.js";
import type { CallInProgress, Kernel } from "./kernel.js";
import { type Progress, policyDenied } from "./refusals.js";
import { NO_TURN } from "./write-turns.js";

export interface GuardOptions extends Progress {
  /** Collects paths that need approval before their content is shown. Without it, approval is requested at once. */
  readonly unasked?: Set<string>;
}

/** Returns the guard for a call's files; undefined if no path rule applies, so that such calls have no overhead. */
export function guardPaths(
  kernel: Kernel,
  call: CallInProgress,
  options: GuardOptions = {},
): PathGuard | undefined {
  if (kernel.pathRules.length === 0) return undefined;
  const request = requestOf(kernel, call);
  const rules = kernel.pathRules.filter((rule): rule is PathRule => rule.matchesCall(request));
  return rules.length === 0 ? undefined : new RuleGuard(rules, { kernel, call, options });
}

/**
 * Returns the paths that sandboxed code must not see: those that rules deny, unless only for writing, and those whose
 * reading needs approval, because no approval can be requested while code runs.
 */
export function closedToCode(kernel: Kernel, call: CallInProgress): readonly PathSelection[] {
  if (kernel.pathRules.length === 0) return [];
  const request = requestOf(kernel, call);
  const { definition } = request;
  // Code reads the files it sees, whatever permissions its tool declares.
  const reading: PolicyRequest = {
    ...request,
    definition: { ...definition, alsoUses: [...(definition.alsoUses ?? []), "ReadFiles"] },
  };
  return kernel.pathRules
    .filter((rule): rule is PathRule => closesReading(rule) && rule.matchesCall(reading))
    .map(({ paths }) => paths.selection);
}

function closesReading({ permission, opinion }: CompiledRule): boolean {
  return permission === "ReadFiles" || (permission === undefined && opinion.effect === "deny");
}

type PathRule = CompiledRule & { readonly paths: CompiledPaths };

interface Guarded {
  readonly kernel: Kernel;
  readonly call: CallInProgress;
  readonly options: GuardOptions;
}

function requestOf(
  { inspections, role }: Kernel,
  { callId, args, registered }: CallInProgress,
): PolicyRequest {
  const { command, url } = inspections.get(args) ?? {};
  return { callId, definition: registered.definition, args, changes: [], role, command, url };
}

class RuleGuard implements PathGuard {
  readonly local: LocalFolder | undefined;
  readonly #denying: readonly PathRule[];
  readonly #asking: readonly PathRule[];
  readonly #guarded: Guarded;

  constructor(rules: readonly PathRule[], guarded: Guarded) {
    this.#denying = rules.filter(({ opinion }) => opinion.effect === "deny");
    this.#asking = rules.filter(({ opinion }) => opinion.effect === "ask");
    this.#guarded = guarded;
    this.local = localWithout(rules, guarded);
  }

  admit(path: string, type?: FileType): void {
    const { call, options } = this.#guarded;
    const rule = this.#denying.find(({ paths }) => isClosed(paths, path, type));
    if (rule !== undefined) throw policyDenied(call, rule.opinion, options);
  }

  async admitContent(path: string): Promise<void> {
    this.admit(path);
    const { kernel, call, options } = this.#guarded;
    if (!this.#asking.some(({ paths }) => isClosed(paths, path))) return;
    if ([...call.approvedPaths].some((approved) => isInside(path, approved))) return;
    if (options.unasked !== undefined) {
      options.unasked.add(path);
      return;
    }
    await approveCall(kernel, call, { changes: [], opened: [path], asking: NO_TURN, isRunning: true });
  }

  shows({ path, type }: { readonly path: string; readonly type: FileType }): boolean {
    return !this.#denying.some(({ paths }) => isClosed(paths, path, type));
  }
}

function isClosed(paths: CompiledPaths, path: string, type?: FileType): boolean {
  return paths.selects(path) && !(type === "directory" && paths.mayLeaveOutBelow(path));
}

/** Engines that read the disk directly cannot prompt, so paths that need approval are closed to them. */
function localWithout(rules: readonly PathRule[], { kernel, call }: Guarded): LocalFolder | undefined {
  const { local } = kernel.workspace;
  const isFixed = rules.every(({ paths, dependsOnArguments }) => !dependsOnArguments && paths.openFolders);
  if (local?.without === undefined || !isFixed || call.approvedPaths.size > 0) return undefined;
  const closed = rules.map(({ paths }): PathSelection => paths.selection);
  const key = JSON.stringify(closed);
  // Returns the same object for the same rules: engines attach their caches to it.
  let found = kernel.closedFolders.get(key);
  if (found === undefined) {
    found = local.without(closed);
    kernel.closedFolders.set(key, found);
  }
  return found;
}
