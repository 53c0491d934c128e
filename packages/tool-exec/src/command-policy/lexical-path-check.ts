import { holdsSensitiveNames, isSensitiveName } from "@haft/text/path-rules";
import type { PathCheck } from "./path-check.js";

/** Judges paths by their text, for hosts without a file system; a real one also follows links. */
export function lexicalPathCheck(root: string): PathCheck {
  const rootSegments = segmentsOf(root);
  return (path, cwd) => {
    const fromRoot = path.startsWith("/") || cwd.startsWith("/") ? [] : rootSegments;
    const resolved = resolve([
      ...fromRoot,
      ...(path.startsWith("/") ? [] : segmentsOf(cwd)),
      ...segmentsOf(path),
    ]);
    if (!rootSegments.every((segment, index) => resolved[index] === segment)) return "outside";
    const below = resolved.slice(rootSegments.length).map((segment) => segment.toLowerCase());
    // A directory with secrets may be listed, but a program that gets it reads its files.
    return isSensitiveName(below) || holdsSensitiveNames(below) ? "sensitive" : "inside";
  };
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "" && segment !== ".");
}

function resolve(segments: readonly string[]): string[] {
  const resolved: string[] = [];
  for (const segment of segments) {
    if (segment === "..") resolved.pop();
    else resolved.push(segment);
  }
  return resolved;
}
