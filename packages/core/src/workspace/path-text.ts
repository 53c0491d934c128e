/** Workspace paths as text: relative, `/` between parts, "" for the root. No disk access here. */

export function parentPath(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function joinPath(directory: string, name: string): string {
  return directory === "" ? name : `${directory}/${name}`;
}

/** Returns true for the directory itself and everything below it. */
export function isInside(path: string, directory: string): boolean {
  return directory === "" || path === directory || path.startsWith(`${directory}/`);
}

/** Resolves `.` and `..` in a path. Returns undefined if it climbs above the root. */
export function normalizePath(path: string): string | undefined {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}

/** Returns the workspace path of a path as a model wrote it: absolute, or with `.` and empty segments. */
export function relativePath(path: string, workspace: { absolute(path: string): string }): string {
  const root = workspace.absolute("").replace(/\/+$/, "");
  return workspace.absolute(path).slice(root.length + 1);
}

/** Resolves a link's target to a workspace path; an absolute target is returned unchanged. */
export function linkDestination(link: string, target: string): string | undefined {
  return target.startsWith("/") ? target : normalizePath(joinPath(parentPath(link), target));
}
