/** Whether a path or glob writes a name that starts with a dot, such as `.github/**`: then hidden names are meant. */
export function namesHidden(pathOrGlob: string): boolean {
  return /(^|[/{,(|])\\?\.[^/.]/.test(pathOrGlob);
}
