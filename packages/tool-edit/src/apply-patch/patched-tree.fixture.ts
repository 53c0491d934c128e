import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { editRuntime } from "../testing.fixture.js";
import type { StoredFile, Tree } from "./generated-history.fixture.js";

export type Files = Readonly<Record<string, StoredFile>>;

/** The files after a patch, or what the refusal says. */
export type PatchOutcome = { readonly refused: string } | { readonly files: Files };

/** Calls apply_patch on a tree in memory. */
export async function patchTree(before: Tree, patch: string): Promise<PatchOutcome> {
  const { runtime } = editRuntime(
    Object.fromEntries(
      [...before].map(([path, { text, isExecutable, isLink }]) => [
        path,
        isLink === true ? { link: text } : { content: text, mode: isExecutable ? 0o755 : 0o644 },
      ]),
    ),
  );
  const result = await runtime.call("apply_patch", { patch });
  if (!result.ok) return { refused: result.text };
  const files: Record<string, StoredFile> = {};
  for (const [path, content] of Object.entries(runtime.workspace.dump())) {
    if (path.endsWith("/")) continue;
    const [, target] = /^-> (.*)$/.exec(content) ?? [];
    if (target !== undefined) {
      files[path] = { text: target, isExecutable: false, isLink: true };
      continue;
    }
    const text = Buffer.from(await runtime.workspace.readBytes(path)).toString("utf8");
    files[path] = { text, isExecutable: isExecutable((await runtime.workspace.stat(path)).mode) };
  }
  return { files };
}

/** Makes a folder hold exactly a tree. */
export function writeTree(folder: string, tree: Tree): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [path, { text, isExecutable, isLink }] of tree) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    if (isLink === true) {
      symlinkSync(text, join(folder, path));
      continue;
    }
    writeFileSync(join(folder, path), text);
    chmodSync(join(folder, path), isExecutable ? 0o755 : 0o644);
  }
}

export function filesIn(folder: string): Files {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile() || entry.isSymbolicLink())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        if (entry.isSymbolicLink())
          return [relative(folder, path), { text: readlinkSync(path), isExecutable: false, isLink: true }];
        const text = readFileSync(path, "utf8");
        return [relative(folder, path), { text, isExecutable: isExecutable(statSync(path).mode) }];
      }),
  );
}

function isExecutable(mode: number): boolean {
  return (mode & 0o100) !== 0;
}
