/**
 * Returns whether a path or glob names something that starts with a dot, such as `.github/**`: hidden files are then
 * meant.
 */
export function namesHidden(pathOrGlob: string): boolean {
  return /(^|[/{,(|])\\?\.[^/.]/.test(pathOrGlob);
}
