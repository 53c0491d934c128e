import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";

export const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

/** Prints a completion script. The script calls `haft __complete`, which knows roles, tools and sessions. */
export function completions(shell: Shell, io: CliIo): ExitCode {
  io.stdout.write(SCRIPTS[shell]);
  return EXIT.ok;
}

/**
 * Each line of `haft __complete` is a value, optionally followed by a tab and a description. `:files` requests file
 * names.
 */
const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# haft completions bash > ~/.local/share/bash-completion/completions/haft
_haft() {
  local line current="\${COMP_WORDS[COMP_CWORD]}"
  [[ $current == "=" ]] && current=""
  COMPREPLY=()
  while IFS= read -r line; do
    line="\${line%%$'\\t'*}"
    if [[ $line == ":files" ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current")
    elif [[ $line == "$current"* ]]; then
      COMPREPLY+=("$line")
    fi
  done < <("$1" __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _haft haft
`,
  zsh: `#compdef haft
# haft completions zsh > "\${fpath[1]}/_haft"
_haft() {
  local line files=0
  local -a values
  while IFS= read -r line; do
    if [[ $line == ":files" ]]; then
      files=1
    else
      line="\${line//:/\\\\:}"
      values+=("\${line/$'\\t'/:}")
    fi
  done < <("\${(Q)words[1]}" __complete -- "\${(Q)words[2,CURRENT-1][@]}" "\${(Q)PREFIX}" 2>/dev/null)
  (( $#values )) && _describe -t values value values
  if (( files )); then
    compset -P '*='
    _files
  fi
}
if [[ "$funcstack[1]" == "_haft" ]]; then _haft "$@"; else compdef _haft haft; fi
`,
  fish: `# haft completions fish > ~/.config/fish/completions/haft.fish
function __haft_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  for line in ($words[1] __complete -- $words[2..] "$current" 2>/dev/null)
    if test "$line" = ":files"
      set -l option (string match -r '^--[a-z-]+=' -- "$current")
      for path in (__fish_complete_path (string replace -r '^--[a-z-]+=' '' -- "$current"))
        echo "$option$path"
      end
    else
      echo $line
    end
  end
end
complete -c haft -f -a '(__haft_complete)'
`,
};
