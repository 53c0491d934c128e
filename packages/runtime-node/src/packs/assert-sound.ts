import { type AnyDefinition, type JsonSchema, messageOf, type Token, ToolError } from "@haft/core";
import { definitionProblem, inputProblem } from "@haft/core/kernel";
import { declaredPermissions } from "@haft/core/policy";
import type { PackageManifest } from "./package-folder.js";

interface CheckedPack {
  readonly name: string;
  readonly manifest: PackageManifest;
  /** The remedy for a pack that is itself faulty. */
  readonly remedy: string;
  readonly provides?: ((service: Token<unknown>) => boolean) | undefined;
}

/**
 * Throws PACK_FAILED for a tool that cannot work, has the name of another one of the pack, needs permissions that its
 * package.json does not list, or needs a service that the host does not provide.
 */
export async function assertSound(pack: CheckedPack, definitions: readonly AnyDefinition[]): Promise<void> {
  for (const definition of definitions) await assertSoundTool(pack, definition);
  assertDistinct(pack, definitions);
}

async function assertSoundTool(pack: CheckedPack, definition: AnyDefinition): Promise<void> {
  const { name, remedy } = pack;
  const assertRight = (what: string, problem: string | undefined) => {
    if (problem === undefined) return;
    const message = `${name}: the ${what} of ${definition.name} is wrong: ${problem}`;
    throw new ToolError("PACK_FAILED", message, { hint: remedy });
  };
  assertRight("definition", definitionProblem({ ...definition }) ?? incompleteness(definition));
  await assertSchema(pack, `the input of ${definition.name}`, definition.input);
  assertRight("input", inputProblem(definition.input));
  await assertSchema(pack, `the output of ${definition.name}`, definition.output);
  for (const token of definition.inject ?? [])
    if ("section" in token) await assertSchema(pack, token.name, (token as { schema?: unknown }).schema);
  assertWithinManifest(pack, definition);
  assertServices(pack, definition);
}

/** A pack with its own kernel may lack fields that every definition of this kernel has. */
function incompleteness(definition: Partial<AnyDefinition>): string | undefined {
  const lacking = (["permissions", "category", "input", "output"] as const).find(
    (member) => definition[member] === undefined,
  );
  return lacking && `it has no ${lacking}. Define it with defineTool or toolDefinition`;
}

function assertDistinct({ name, remedy }: CheckedPack, definitions: readonly AnyDefinition[]): void {
  const names = definitions.map((definition) => definition.name);
  const twice = names.find((one, index) => names.indexOf(one) !== index);
  if (twice === undefined) return;
  throw new ToolError("PACK_FAILED", `${name} defines ${twice} twice`, { hint: remedy });
}

async function assertSchema({ name, remedy }: CheckedPack, what: string, schema: unknown): Promise<void> {
  // Imported here: it brings ajv, which a process without packs of others never needs.
  const { compileSchema } = await import("@haft/core/compile-schema");
  try {
    if (typeof schema !== "object" || schema === null) throw new TypeError("it is not an object");
    compileSchema(schema as JsonSchema)(undefined);
  } catch (cause) {
    const reason = messageOf(cause).split("\n", 1)[0];
    throw new ToolError("PACK_FAILED", `${name} has an invalid schema for ${what}: ${reason}`, {
      hint: remedy,
      cause,
    });
  }
}

function assertWithinManifest({ name, manifest, remedy }: CheckedPack, definition: AnyDefinition): void {
  const { permissions } = manifest.haft ?? {};
  if (permissions === undefined) return;
  if (!Array.isArray(permissions))
    throw new ToolError("PACK_FAILED", `${name}: haft.permissions in its package.json is not a list`, {
      hint: `Write it as a list, such as ["ReadFiles"]. ${remedy}`,
    });
  const beyond = declaredPermissions(definition).find((one) => !permissions.includes(one));
  if (beyond === undefined) return;
  const message = `${name} needs more permissions than its manifest lists: ${definition.name} needs ${beyond}`;
  const listed = permissions.join(", ") || "no permissions";
  throw new ToolError("PACK_FAILED", message, {
    hint: `Its package.json lists ${listed} in haft.permissions. ${remedy}`,
  });
}

function assertServices({ name, provides }: CheckedPack, { name: tool, inject = [] }: AnyDefinition): void {
  if (provides === undefined) return;
  const missing = inject.find(
    (token) => token.create === undefined && !("section" in token) && !provides(token),
  );
  if (missing === undefined) return;
  const message = `${name} needs the service "${missing.name}" for ${tool}, which this host does not provide`;
  throw new ToolError("PACK_FAILED", message, {
    hint: "Remove it from the list of packs, or use it in a program that provides the service.",
  });
}
