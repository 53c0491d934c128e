import { ToolError } from "../error/tool-error.js";
import type { ToolPermission } from "../permission/tool-permission.js";
import type { MoveOptions, Workspace, WorkspaceAnchor, WorkspaceReader } from "./workspace.js";
import type { LocalFolder } from "./workspace-store.js";

/** What a rehearsal writes to, or for a tool that only reads, the store itself. */
export type WorkspaceSource = WorkspaceAnchor &
  WorkspaceReader &
  Partial<Workspace> & { readonly local?: LocalFolder };

export interface WorkspaceKeys {
  /** What the tool declared: decides which methods there are. */
  readonly declared: readonly ToolPermission[];
  /** What the role holds of it: a declared method without its key refuses. */
  readonly held: readonly ToolPermission[];
}

/** Hands out the part of a workspace that permissions open, frozen. Writing is not forbidden, it is absent. */
export function openWorkspace(source: WorkspaceSource, keys: WorkspaceKeys): object {
  const methods: Record<string, unknown> = {};
  for (const permission of keys.declared) {
    const open = PARTS[permission as keyof typeof PARTS];
    if (open === undefined) continue;
    const part = open(source, keys);
    Object.assign(methods, keys.held.includes(permission) ? part : refusing(part, permission));
  }
  if (keys.declared.includes("WriteFiles") && keys.declared.includes("CreateFiles"))
    methods.move = moveOf(source, keys);
  return Object.freeze({ root: source.root, absolute: (path: string) => source.absolute(path), ...methods });
}

const PARTS = {
  ReadFiles: (source: WorkspaceSource) => ({
    ...bind(source, [
      "readText",
      "readTextFile",
      "readBytes",
      "stream",
      "stat",
      "exists",
      "list",
      "walk",
      "hashOf",
    ]),
    ...(source.readTextPart === undefined ? {} : bind(source, ["readTextPart"])),
    ...(source.local === undefined ? {} : { local: source.local }),
  }),
  WriteFiles: (source: WorkspaceSource, keys: WorkspaceKeys) => writerOf(source, keys),
  CreateFiles: (source: WorkspaceSource) =>
    bind(source, ["createText", "createBytes", "createDirectory", "createLink"]),
  DeleteFiles: (source: WorkspaceSource) => bind(source, ["remove"]),
};

type Method = (...args: never[]) => unknown;

function bind(source: WorkspaceSource, names: readonly (keyof Workspace)[]): Record<string, Method> {
  return Object.fromEntries(names.map((name) => [name, (source[name] as Method).bind(source)]));
}

function refusing(part: object, permission: ToolPermission): Record<string, Method> {
  const refuse = () => Promise.reject(lacking(permission));
  const names = Object.keys(part).filter((name) => name !== "local");
  return Object.fromEntries(
    names.map((name) => [name, STREAMS.has(name) ? refusingStream(permission) : refuse]),
  );
}

/** What is read in a loop refuses in the loop: a rejected promise would be nobody's there. */
function refusingStream(permission: ToolPermission): Method {
  return () => ({
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(lacking(permission)) }),
  });
}

const STREAMS = new Set(["stream", "walk"]);

/** Writing where nothing is yet makes a file, and that takes its own key. */
function writerOf(source: WorkspaceSource, keys: WorkspaceKeys): Record<string, Method> {
  const writer = bind(source, ["writeText", "spliceText", "writeBytes"]);
  if (keys.held.includes("CreateFiles")) return writer;
  const guarded =
    (write: Method) =>
    async (path: string, ...rest: never[]) => {
      if (!(await source.exists(path))) throw lacking("CreateFiles");
      return (write as (...args: unknown[]) => unknown)(path, ...rest);
    };
  return Object.fromEntries(Object.entries(writer).map(([name, write]) => [name, guarded(write)]));
}

/** A move that overwrites deletes what was there. */
function moveOf(source: WorkspaceSource, keys: WorkspaceKeys): Workspace["move"] {
  return async (from: string, to: string, options: MoveOptions = {}) => {
    for (const needed of ["WriteFiles", "CreateFiles"] as const)
      if (!keys.held.includes(needed)) throw lacking(needed);
    if (options.overwrite === true && !keys.held.includes("DeleteFiles") && (await source.exists(to)))
      throw lacking("DeleteFiles");
    return source.move?.(from, to, options);
  };
}

export function lacking(permission: ToolPermission): ToolError {
  return new ToolError("PERMISSION_DENIED", `This role does not hold ${permission}, which this call needs`, {
    details: { missing: [permission] },
  });
}
