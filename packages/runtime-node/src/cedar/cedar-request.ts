import type { Context, EntityJson, TypeAndId } from "@cedar-policy/cedar-wasm/nodejs";
import type { PolicyRequest } from "@haft/core";
import { declaredPermissions, type SimpleCommand } from "@haft/core/policy";

/** One authorization request for Cedar. */
export interface CedarRequest {
  readonly action: TypeAndId;
  readonly resource: TypeAndId;
  readonly context: Context;
  readonly entities: EntityJson[];
}

/**
 * Turns a call into authorization requests, one for each file, simple command or address it touches. A call without
 * any of these is one request about the tool. Cedar must allow all of them.
 */
export function cedarRequests(request: PolicyRequest): readonly CedarRequest[] {
  const { definition, args } = request;
  const action = entity(uid("Action", definition.name), {
    parents: [uid("Action", `category/${definition.category}`)],
  });
  const common: Context = {
    tool: definition.name,
    category: definition.category,
    permissions: [...declaredPermissions(definition)],
    args: cedarValue(args) ?? {},
  };
  const targets = targetsOf(request);
  const touched = targets.length > 0 ? targets : [{ resource: entity(uid("Tool", definition.name)) }];
  return touched.map(({ resource, access = "call" }) => ({
    action: action.uid as TypeAndId,
    resource: resource.uid as TypeAndId,
    context: { ...common, access },
    entities: [action, resource],
  }));
}

interface Target {
  readonly resource: EntityJson;
  readonly access?: string;
}

function targetsOf({ changes, paths = [], command, url }: PolicyRequest): readonly Target[] {
  const changed = changes.flatMap((change) =>
    [change.path, ...(change.kind === "move" ? [change.from] : [])].map((path) => ({
      path,
      access: change.kind,
    })),
  );
  const known = new Set(changed.map(({ path }) => path));
  const named = [...new Set(paths)]
    .filter((path) => !known.has(path))
    .map((path) => ({ path, access: "open" }));
  return [
    ...[...changed, ...named].map(({ path, access }) => ({ resource: fileEntity(path), access })),
    ...(command?.commands ?? []).map((each) => ({ resource: commandEntity(each), access: "execute" })),
    ...(url === undefined ? [] : [{ resource: urlEntity(url), access: "fetch" }]),
  ];
}

/** Returns a file as a member of every folder above it: `resource in Haft::Folder::"src"`. */
function fileEntity(path: string): EntityJson {
  const names = path.split("/");
  const folders = names.slice(0, -1).map((_, index) => names.slice(0, index + 1).join("/"));
  return entity(uid("File", path), {
    parents: folders.map((folder) => uid("Folder", folder)),
    attrs: { path },
  });
}

/** Returns a command as a member of each of its prefixes: `resource in Haft::Command::"git push"`. */
function commandEntity({ argv }: SimpleCommand): EntityJson {
  const unknown = argv.indexOf(null);
  const words = (unknown < 0 ? argv : argv.slice(0, unknown)).map((word) => quoted(word ?? ""));
  const prefixes = words.slice(0, -1).map((_, index) => words.slice(0, index + 1).join(" "));
  const text = words.join(" ");
  return entity(uid("Command", text), {
    parents: prefixes.map((prefix) => uid("Command", prefix)),
    attrs: { program: words[0] ?? "", isComplete: unknown < 0 },
  });
}

/** Quotes a word with spaces, so that it stays one word. */
function quoted(word: string): string {
  return /^[\w./:=@%+,~^-]+$/.test(word) ? word : JSON.stringify(word);
}

/** Returns an address as a member of its host and every parent domain: `resource in Haft::Host::"example.com"`. */
function urlEntity(address: string): EntityJson {
  const text = address.trim();
  if (!URL.canParse(text)) return entity(uid("Url", text), { attrs: { isReadable: false } });
  const { hostname, href, port, protocol, pathname } = new URL(text);
  const labels = hostname.replace(/\.$/, "").split(".");
  const hosts = labels.map((_, index) => uid("Host", labels.slice(index).join(".")));
  const scheme = protocol.slice(0, -1);
  const attrs = { isReadable: true, host: hostname, scheme, port, path: pathname };
  return entity(uid("Url", href), { parents: hosts, attrs });
}

function entity(id: TypeAndId, { parents = [], attrs = {} }: Partial<EntityJson> = {}): EntityJson {
  return { uid: id, attrs, parents };
}

function uid(type: string, id: string): TypeAndId {
  return { type: `Haft::${type}`, id };
}

/** Converts a value. Cedar has neither null nor fractions. An object that Cedar would interpret becomes text. */
function cedarValue(value: unknown): Context[string] | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === "number") return Number.isSafeInteger(value) ? value : String(value);
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.flatMap((item) => cedarValue(item) ?? []);
  const members = Object.entries(value as object);
  if (members.some(([name]) => name.startsWith("__"))) return JSON.stringify(value);
  return Object.fromEntries(
    members.flatMap(([name, member]) => {
      const converted = cedarValue(member);
      return converted === undefined ? [] : [[name, converted]];
    }),
  );
}
