/** Few names and few contents, so that many entries look alike. */
const FOLDERS = ["a", "b", "a/b", "b/c", "a/b/c", "d"] as const;
const NAMES = ["x", "y", "__init__.py", "b"] as const;
const CONTENTS = ["", "", "1", "2"] as const;

/** Returns the lines that make a folder to start from. */
export function startOf(random: Random): string {
  const lines = FOLDERS.filter(() => random.below(4) > 0).map((folder) => `mkdir -p ${folder}`);
  for (let count = 3 + random.below(8); count > 0; count -= 1) lines.push(written(random));
  if (random.below(3) === 0) lines.push(`ln -s ${random.of(NAMES)} ${placeOf(random)}`);
  return lines.join("\n");
}

/** Returns up to seven random changes to such a folder. */
export function linesOf(random: Random): string {
  const lines = Array.from({ length: 1 + random.below(7) }, () => lineOf(random));
  return random.below(3) > 0
    ? lines.join("\n")
    : [RENAME, ...lines, renamed(random), "exit $failed"].join("\n");
}

/** Unlike mv it never copies: in a layer it fails for a folder of the workspace, and the run is repeated on a copy. */
const RENAME =
  'failed=0; rename() { python3 -c \'import os, sys; os.rename(*sys.argv[1:])\' "$1" "$2" || failed=1; }';

function renamed(random: Random): string {
  return `rename ${random.of(FOLDERS)} ${random.of([...FOLDERS, "new", "a/new"])}`;
}

function lineOf(random: Random): string {
  const [from, to] = [random.of([...FOLDERS, placeOf(random)]), random.of([...FOLDERS, placeOf(random)])];
  const line = random.below(12);
  if (line < 3) return `mv -fT ${placeOf(random)} ${placeOf(random)}`;
  if (line < 5) return `mv -f ${from} ${to}`;
  if (line < 7) return `rm -rf ${random.of([placeOf(random), from])}`;
  if (line < 8) return isBelow(to, from) ? "true" : `cp -rT ${from} ${to}`;
  if (line < 9) return `mkdir -p ${to}`;
  if (line < 10)
    return random.below(2) === 0 ? `chmod 755 ${placeOf(random)}` : `chmod 750 ${random.of(FOLDERS)}`;
  if (line < 11) return `ln -sfn ${random.of(NAMES)} ${placeOf(random)}`;
  return written(random);
}

/** In which order cp lists a folder that it adds to is not defined. */
function isBelow(path: string, folder: string): boolean {
  return `${path}/`.startsWith(`${folder}/`);
}

function written(random: Random): string {
  return `printf '%s' '${random.of(CONTENTS)}' > ${placeOf(random)}`;
}

function placeOf(random: Random): string {
  return `${random.of([...FOLDERS, "."])}/${random.of(NAMES)}`.replace(/^\.\//, "");
}

/** A linear congruential generator: the same seed gives the same lines. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }
}
