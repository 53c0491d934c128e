import { type AnyToolClass, definitionOf, ToolError } from "@haft/core";
import { OWN_SCOPE } from "./package-folder.js";

interface PackTools {
  readonly name: string;
  readonly tools: readonly AnyToolClass[];
}

/**
 * Leaves out packs with a tool name that is already taken. First-party packs win, in any position of the list.
 * `reserved` has the tools that the host registers itself, each with its package.
 */
export function withoutConflicts<Pack extends PackTools>(
  packs: readonly Pack[],
  skip: (error: ToolError) => void,
  reserved: Readonly<Record<string, string>> = {},
): readonly Pack[] {
  const isOwn = ({ name }: Pack) => name.startsWith(OWN_SCOPE);
  const owners = new Map(Object.entries(reserved));
  const conflicting = new Set<Pack>();
  for (const pack of [...packs.filter(isOwn), ...packs.filter((pack) => !isOwn(pack))]) {
    const names = pack.tools.map((tool) => definitionOf(tool).name);
    const taken = isOwn(pack) ? undefined : names.find((name) => owners.has(name));
    if (taken === undefined) for (const name of names) owners.set(name, pack.name);
    else {
      conflicting.add(pack);
      skip(conflict({ pack: pack.name, tool: taken }, owners.get(taken), Object.hasOwn(reserved, taken)));
    }
  }
  return packs.filter((pack) => !conflicting.has(pack));
}

function conflict(
  details: { readonly pack: string; readonly tool: string },
  owner: string | undefined,
  isReserved: boolean,
): ToolError {
  const { pack, tool } = details;
  return new ToolError("TOOL_CONFLICT", `${pack} defines ${tool}, which ${owner} already defines`, {
    hint: isReserved
      ? "Remove it from the list of packs, or rename its tool."
      : "Keep only one of the two in the list of packs.",
    details,
  });
}
