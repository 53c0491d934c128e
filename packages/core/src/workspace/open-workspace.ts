import { ToolError } from "../error/tool-error.js";
import type { ToolPermission } from "../permission/tool-permission.js";
import { readDeclaredText } from "./declared-text.js";
import { OverlayWorkspace } from "./overlay-workspace.js";
import type { MoveOptions, Workspace, WorkspaceAnchor, WorkspaceReader } from "./workspace.js";
import type { LocalFolder } from "./workspace-store.js";

/** The overlay of a rehearsal or, for a read-only tool, the store itself. */
export type WorkspaceSource = WorkspaceAnchor &
  WorkspaceReader &
  Partial<Workspace> & { readonly local?: LocalFolder };

export interface WorkspaceKeys {
  /** The permissions the tool declares; they decide which methods exist. */
  readonly declared: readonly ToolPermission[];
  /** The permissions the role grants. A declared method without its permission rejects. */
  readonly held: readonly ToolPermission[];
}

/**
 * Returns the part of a workspace that the permissions open, frozen. Write methods are absent, not merely forbidden.
 */
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
    ...(source instanceof OverlayWorkspace ? {} : declaredReads(source)),
    ...(source.readTextPart === undefined ? {} : bind(source, ["readTextPart"])),
    ...(source.local === undefined ? {} : { local: source.local }),
  }),
  WriteFiles: (source: WorkspaceSource, keys: WorkspaceKeys) => writerOf(source, keys),
  CreateFiles: (source: WorkspaceSource) =>
    bind(source, ["createText", "createBytes", "createDirectory", "createLink"]),
  DeleteFiles: (source: WorkspaceSource) => bind(source, ["remove"]),
};

/** An overlay reads declared text itself, because it records what it read. */
function declaredReads(store: WorkspaceReader): Pick<WorkspaceReader, "readText" | "readTextFile"> {
  return {
    readText: async (path) => (await readDeclaredText(store, path)).text,
    readTextFile: (path, options) => readDeclaredText(store, path, options),
  };
}

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

/** Fails inside the consuming loop: a rejected promise would be unhandled there. */
function refusingStream(permission: ToolPermission): Method {
  return () => ({
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(lacking(permission)) }),
  });
}

const STREAMS = new Set(["stream", "walk"]);

/** Writing to a new path creates a file, which needs its own permission. */
function writerOf(source: WorkspaceSource, keys: WorkspaceKeys): Record<string, Method> {
  const writer = bind(source, ["writeText", "spliceText", "writeBytes", "setDirectoryMode"]);
  if (keys.held.includes("CreateFiles")) return writer;
  const guarded =
    (write: Method) =>
    async (path: string, ...rest: never[]) => {
      if (!(await source.exists(path))) throw lacking("CreateFiles");
      return (write as (...args: unknown[]) => unknown)(path, ...rest);
    };
  return Object.fromEntries(Object.entries(writer).map(([name, write]) => [name, guarded(write)]));
}

/** A move that overwrites deletes the destination. */
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
