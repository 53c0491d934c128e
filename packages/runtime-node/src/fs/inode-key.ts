/** Identifies a file or folder whatever its name, for as long as it exists. */
export function inodeKey({
  dev,
  ino,
}: {
  readonly dev: number | bigint;
  readonly ino: number | bigint;
}): string {
  return `${dev}:${ino}`;
}
