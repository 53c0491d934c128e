/**
 * Returns why Windows would reject a name or resolve it to another file; undefined for an ordinary name. Rules and
 * guards compare names, so every file must have one. Pure, so that it is tested on every system.
 */
export function windowsNameProblem(name: string): string | undefined {
  if (name.includes("\\")) return 'contains "\\"; use "/" between names';
  if (name.includes(":")) return 'contains ":", which names a drive or another stream of a file';
  if (FORBIDDEN.test(name)) return "contains a character that Windows does not allow in names";
  if (DEVICE.test(name)) return "names a device on Windows";
  if (TRAILING.test(name)) return "ends with a dot or a blank, which Windows ignores";
  if (SHORT.test(name)) return "may be the short name of another file on Windows";
  return undefined;
}

/** Returns the problem of the first name in a path that has one. Skips `.` and `..`. */
export function windowsPathProblem(path: string): string | undefined {
  const names = path.split("/").filter((name) => name !== "." && name !== "..");
  return names.map(windowsNameProblem).find((problem) => problem !== undefined);
}

const FORBIDDEN = /[<>"|?*]/;
// Also with an extension: `NUL.txt` is the device.
const DEVICE =
  /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]) *(?:\.|$)/i;
const TRAILING = /[. ]$/;
/** Such as `SECRET~1.TXT`, which the file system generates for longer names. */
const SHORT = /^[^. ]{1,6}~\d{1,6}(?:\.[^. ]{0,3})?$/;
