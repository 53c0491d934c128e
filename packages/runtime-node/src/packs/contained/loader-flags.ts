/** Returns the flags of this process that decide how modules are loaded, such as `--import tsx`. */
export function loaderFlags(flags: readonly string[]): readonly string[] {
  const kept: string[] = [];
  flags.forEach((flag, index) => {
    const name = flag.split("=", 1)[0] as string;
    if (SWITCHES.test(flag)) kept.push(flag);
    if (!LOADER_FLAGS.has(name)) return;
    kept.push(flag);
    const value = flags[index + 1];
    if (name === flag && value !== undefined) kept.push(value);
  });
  return kept;
}

const SWITCHES = /^--(?:(?:no-)?experimental-(?:strip|transform)-types|preserve-symlinks(?:-main)?)$/;

const LOADER_FLAGS: ReadonlySet<string> = new Set([
  "-C",
  "-r",
  "--conditions",
  "--experimental-loader",
  "--import",
  "--loader",
  "--require",
]);
