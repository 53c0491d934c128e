import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Scaffold } from "./scaffold.js";
import { ScaffoldError } from "./scaffold-error.js";

/** Writes a scaffold below a folder. Never overwrites: an existing package folder or file is an error. */
export async function writeScaffold({ folder, files }: Scaffold, cwd: string): Promise<void> {
  const target = join(cwd, folder);
  const isShared = folder.startsWith(".");
  await refusing(target, () => mkdir(target, { recursive: isShared }));
  for (const [path, content] of Object.entries(files)) {
    const file = join(target, path);
    await refusing(file, async () => {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content, { flag: "wx" });
    });
  }
}

async function refusing(path: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST")
      throw new ScaffoldError("ALREADY_EXISTS", `${path} exists`, "Choose another name, or move it away.");
    throw new ScaffoldError("IO_ERROR", `${path} cannot be written (${code})`);
  }
}
