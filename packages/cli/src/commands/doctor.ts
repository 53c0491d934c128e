import type { CliIo } from "../cli-io.js";
import type { Check } from "../doctor/check.js";
import type { ConfigChoices } from "../doctor/check-sandbox.js";
import { runChecks } from "../doctor/run-checks.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { printJson, printText } from "../output/print.js";

interface DoctorChoices extends ConfigChoices {
  readonly json?: boolean;
}

/** Fails only where nothing would work; what is merely missing is a warning. */
export async function doctor(choices: DoctorChoices, io: CliIo): Promise<ExitCode> {
  const checks = await runChecks(choices, io);
  const ok = checks.every(({ status }) => status !== "error");
  if (choices.json === true) printJson(io.stdout, { ok, checks });
  else printText(io.stdout, checks.map(describe).join("\n"));
  return ok ? EXIT.ok : EXIT.failed;
}

const MARKS: Readonly<Record<Check["status"], string>> = { ok: "✓", warning: "⚠", error: "✗" };

function describe({ name, status, detail, fix }: Check): string {
  const line = `${MARKS[status]} ${name.padEnd(9)} ${detail}`;
  return fix === undefined ? line : `${line} — ${fix}`;
}
