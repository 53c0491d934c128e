import { randomInt } from "node:crypto";
import type { Plugin } from "vitest/config";

const SEEDED = "\0seeded-fast-check";
/** CI's seed, so that the same commit always gives the same verdict. */
const CI_SEED = 20_261_118;

/**
 * Gives every property test the same seed: a fixed one in CI, a new one elsewhere. `HAFT_SEED=N` repeats a run;
 * `HAFT_SEED=random` explores in CI too.
 */
export function seededProperties(): Plugin {
  const seed = propertySeed(process.env);
  return {
    name: "haft:seeded-properties",
    enforce: "pre",
    resolveId: (id, importer) => (id === "fast-check" && importer !== SEEDED ? SEEDED : undefined),
    load: (id) =>
      id === SEEDED
        ? `import fc from "fast-check"; fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: ${seed} });
           export * from "fast-check"; export default fc;`
        : undefined,
  };
}

function propertySeed({ HAFT_SEED, CI }: NodeJS.ProcessEnv): number {
  if (HAFT_SEED === undefined && CI !== undefined) return CI_SEED;
  if (HAFT_SEED === undefined || HAFT_SEED === "random") return randomInt(2 ** 31);
  const seed = Number(HAFT_SEED);
  if (!Number.isInteger(seed))
    throw new Error(`HAFT_SEED must be an integer or "random", not "${HAFT_SEED}"`);
  return seed;
}
