import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { EDITORS, type EditorName } from "../install/clients.js";
import { printText } from "../output/print.js";

interface AcpInstallCommand {
  readonly client: EditorName;
  readonly role?: string;
}

/**
 * Prints the editor configuration that starts the agent. Never writes the file: it belongs to the user and may contain
 * comments.
 */
export async function acpInstall({ client, role }: AcpInstallCommand, io: CliIo): Promise<ExitCode> {
  const { file, title, format } = EDITORS[client];
  const args = ["-y", "@haft/cli", "acp", ...(role === undefined ? [] : ["--role", role])];
  printText(io.stderr, `Put this into ${file}, then choose Haft in ${title}:`);
  printText(io.stdout, format({ command: "npx", args }));
  printText(io.stderr, "Name the model and its key in env: HAFT_MODEL, OPENAI_BASE_URL, OPENAI_API_KEY.");
  return EXIT.ok;
}
