import { argvOf, type PlannedCommand } from "../command-policy/command-plan.js";
import { quoted, type ShellCommand } from "../command-policy/shell-text.js";

/** Returns whether one of the commands is an `rm -rf` of installed packages. */
export function removesPackages({ commands }: { readonly commands: readonly PlannedCommand[] }): boolean {
  return commands.some((command) => {
    const [name, ...words] = argvOf(command);
    return (
      name === "rm" && words.some((word) => FORCED.test(word)) && words.some((word) => PACKAGES.test(word))
    );
  });
}

/**
 * Rewrites an `rm -rf` so that it empties installed packages instead. During an installation that folder is mounted, and
 * the kernel removes no mount point. A link is still removed itself: its target may be mounted as well. The shell looks
 * when it gets there, because an earlier part of the line may create the link.
 */
export function emptyingPackages(given: ShellCommand): ShellCommand {
  return { ...given, words: ["bash", "-c", quoted(EMPTYING), ...given.words] };
}

/** Receives `rm` as $0. With -f, a call without paths is not an error. */
const EMPTYING = `shopt -s dotglob nullglob extglob
words=()
for word; do
  folder=\${word%%+(/)}
  if [[ \${folder##*/} == node_modules && -d $folder && ! -L $folder ]]; then words+=("$folder"/*); else words+=("$word"); fi
done
exec "$0" "\${words[@]}"`;

const FORCED = /^(?:-[a-zA-Z]*f[a-zA-Z]*|--force)$/;
const PACKAGES = /(?:^|\/)node_modules\/*$/;
