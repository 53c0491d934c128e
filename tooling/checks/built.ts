import { existsSync, mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./source-files.js";

/** Some checks inspect what would be published. `pnpm test` builds first; a bare vitest run may not have a build. */
export function assertBuilt(packageName: string): void {
  if (existsSync(join(ROOT, "packages", packageName, "dist/index.js"))) return;
  throw new Error(
    `packages/${packageName} is not built. Run \`pnpm build\` first, or \`pnpm test\`, which does`,
  );
}

/** Creates a temporary folder inside the repository, so that `@haft/*` resolves from the root. Never committed. */
export function scratchFolder(prefix: string): string {
  const cache = join(ROOT, "node_modules", ".cache", "haft");
  mkdirSync(cache, { recursive: true });
  return mkdtempSync(join(cache, `${prefix}-`));
}
