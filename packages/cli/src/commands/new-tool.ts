import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { ownVersion } from "../own-version.js";
import { packNames, toolPack } from "../scaffold/tool-pack.js";
import { UsageError } from "../usage-error.js";

/** Writes a tool pack into a new folder. A folder that is there is left alone. */
export async function newTool(name: string, io: CliIo): Promise<ExitCode> {
  if (!NAME.test(name)) {
    throw new UsageError(
      "INVALID_NAME",
      `${JSON.stringify(name.slice(0, 80))} is not a name for a tool`,
      "Lower-case words with - or _ between them, such as word-count.",
    );
  }
  const names = packNames(name);
  const folder = join(io.cwd, names.folder);
  await mkdir(folder).catch((cause) => {
    throw refused(folder, cause);
  });
  for (const [path, content] of Object.entries(toolPack(names, ownVersion()))) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content, { flag: "wx" });
  }
  io.stderr.write(
    `Made ${names.folder}. Next:\n  cd ${names.folder}\n  npm install\n  npm test\n${NOT_ON_NPM}`,
  );
  return EXIT.ok;
}

const NOT_ON_NPM = "Where npm has no @haft packages, its README.md says how to install tarballs.\n";

const NAME = /^[a-z][a-z0-9]{0,30}([-_][a-z0-9]{1,30}){0,3}$/;

function refused(folder: string, cause: NodeJS.ErrnoException): UsageError {
  if (cause.code === "EEXIST") {
    return new UsageError("ALREADY_EXISTS", `${folder} exists`, "Choose another name, or move it away.");
  }
  return new UsageError("IO_ERROR", `${folder} cannot be made (${cause.code})`);
}
