import { resolveRole } from "../roles/resolve-role.js";
import type { HaftConfig } from "./haft-config.js";
import { type Narrowing, widens } from "./narrowing.js";
import { UNTRUSTED_KEYS } from "./untrusted-keys.js";

/** One setting of an untrusted configuration that was ignored. */
export interface IgnoredSetting {
  /** Such as `commands.allow`. */
  readonly key: string;
  /** The value that would have widened the defaults. */
  readonly value: unknown;
}

interface NarrowedConfig {
  readonly config: HaftConfig;
  readonly ignored: readonly IgnoredSetting[];
}

/** Removes everything from a configuration that would allow more than the defaults. Rejects with ConfigError only. */
export async function narrowConfig(config: HaftConfig): Promise<NarrowedConfig> {
  const ignored: IgnoredSetting[] = [];
  const kept = await narrowSection(config as Section, "", ignored);
  const renamed = await forRenamedRole(withSomePack(kept, config), config);
  return { config: withinDefaultCommands(renamed), ignored };
}

type Section = Readonly<Record<string, unknown>>;

async function narrowSection(section: Section, prefix: string, ignored: IgnoredSetting[]): Promise<Section> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(section)) {
    if (value === undefined) continue;
    const key = `${prefix}${name}`;
    if (isListedByParts(key)) {
      kept[name] = await narrowSection(value as Section, `${key}.`, ignored);
      continue;
    }
    const narrowed = await narrowingOf(key)(value as never);
    if (narrowed.kept !== undefined) kept[name] = narrowed.kept;
    ignored.push(...narrowed.ignored.map((one) => ({ key, value: one })));
  }
  return kept;
}

function narrowingOf(key: string): Narrowing {
  return UNTRUSTED_KEYS[key] ?? widens;
}

function isListedByParts(key: string): boolean {
  return Object.keys(UNTRUSTED_KEYS).some((listed) => listed.startsWith(`${key}.`));
}

/** A role that was intersected has the name of the default role; rules for it follow. */
async function forRenamedRole(config: HaftConfig, { role: given }: HaftConfig): Promise<HaftConfig> {
  const { role, rules } = config;
  if (typeof role !== "object" || given === undefined || rules === undefined) return config;
  const { name } = await resolveRole(given);
  return {
    ...config,
    rules: rules.map((rule) => (rule.role === name ? { ...rule, role: role.name } : rule)),
  };
}

/** Uses the default packs for a file that names only third-party packs, instead of offering no tools. */
function withSomePack({ packs, ...rest }: HaftConfig, { packs: given = [] }: HaftConfig): HaftConfig {
  if (packs === undefined || (packs.length === 0 && given.length > 0)) return rest;
  return { ...rest, packs };
}

/** Turns a list that would replace the default one into a restriction of it. */
function withinDefaultCommands(config: HaftConfig): HaftConfig {
  if (config.commands?.allowOnly === undefined) return config;
  const { allowOnly: within, ...commands } = config.commands;
  return { ...config, commands: { ...commands, within } };
}
