/** How the names of a path are matched against the segments of a pattern. */
export interface FolderRules<Segment> {
  accepts(segment: Segment, name: string): boolean;
  /** Whether `**` may stand for this name. */
  mayPass(name: string): boolean;
}

/**
 * Matches the names of a path against segments, of which `**` stands for any number of names, but at least one at the
 * end. As with `*` in names, only the last `**` is ever retried, one name further.
 */
export function matchFolders<Segment>(
  segments: readonly (Segment | "**")[],
  names: readonly string[],
  { accepts, mayPass }: FolderRules<Segment>,
): boolean {
  let segment = 0;
  let at = 0;
  let star = -1;
  let starAt = 0;
  while (at < names.length) {
    const current = segments[segment];
    if (current === "**") {
      if (segment === segments.length - 1) return names.slice(at).every(mayPass);
      star = segment++;
      starAt = at;
    } else if (current !== undefined && accepts(current, names[at] as string)) {
      segment++;
      at++;
    } else if (star >= 0 && mayPass(names[starAt] as string)) {
      segment = star + 1;
      at = ++starAt;
    } else return false;
  }
  return segment === segments.length;
}
