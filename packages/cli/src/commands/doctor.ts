import { renderForHuman } from "@haft/text";
import { lineColumns } from "../ask/terminal-size.js";
import type { CliIo } from "../cli-io.js";
import type { Check } from "../doctor/check.js";
import type { ConfigChoices } from "../doctor/check-sandbox.js";
import { runChecks } from "../doctor/run-checks.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { printJson, printText } from "../output/print.js";
import { styledRows } from "../run/styled-rows.js";

interface DoctorChoices extends ConfigChoices {
  readonly json?: boolean;
}

/** Fails only if nothing would work. Missing optional programs are warnings. */
export async function doctor(choices: DoctorChoices, io: CliIo): Promise<ExitCode> {
  const checks = await runChecks(choices, io);
  const ok = checks.every(({ status }) => status !== "error");
  if (choices.json === true) printJson(io.stdout, { ok, checks });
  else printText(io.stdout, checks.flatMap((check) => describe(check, lineColumns(io.stdout))).join("\n"));
  return ok ? EXIT.ok : EXIT.failed;
}

const MARKS: Readonly<Record<Check["status"], string>> = { ok: "✓", warning: "⚠", error: "✗" };

function describe({ name, status, detail, fix }: Check, columns: number): readonly string[] {
  const first = `${MARKS[status]} ${name.padEnd(9)} `;
  const text = renderForHuman(fix === undefined ? detail : `${detail} — ${fix}`);
  return styledRows([{ text, paint: String }], { columns, first, rest: " ".repeat(first.length) });
}
