import { existsSync } from "node:fs";
import { join } from "node:path";

/** Says how to install a package where the haft at `ownPath` finds it: in the same project, or globally. */
export function installAdvice(name: string, ownPath: string): string {
  const parts = ownPath.split(/(?<=[/\\])/);
  const at = parts.findIndex((part) => /^node_modules[/\\]$/.test(part));
  const above =
    at === -1
      ? undefined
      : parts
          .slice(0, at)
          .join("")
          .replace(/[/\\]$/, "");
  if (/[/\\]_npx[/\\]/.test(ownPath)) return `Run both: npx -p @haft/cli -p ${name} haft …`;
  if (above === undefined || isGlobal(above)) return `Install it: npm install -g ${name}`;
  return `Install it in ${above}: npm install ${name}`;
}

/** npm keeps no manifest above its global packages. pnpm and Yarn do, in a folder of that name. */
function isGlobal(folder: string): boolean {
  return /[/\\]global([/\\]|$)/.test(folder) || !existsSync(join(folder, "package.json"));
}
