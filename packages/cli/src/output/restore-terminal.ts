import { PASTE_OFF } from "../session/composer.js";

/** Gives the terminal back as it was, before this process ends at once. */
export function restoreTerminal(): void {
  const { stdin, stderr } = process;
  if (stdin.isRaw !== true) return;
  stdin.setRawMode(false);
  stderr.write(`${PASTE_OFF}\n`);
}
