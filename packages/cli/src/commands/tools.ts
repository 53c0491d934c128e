import { groupByCategory } from "@haft/prompt-formatter";
import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { openRuntime, withRuntime } from "../open/open-runtime.js";
import type { RuntimeChoices } from "../open/runtime-choices.js";
import { formatTable, tableWidth } from "../output/format-table.js";
import { printJson, printText } from "../output/print.js";

export function tools(choices: RuntimeChoices & { readonly json?: boolean }, io: CliIo): Promise<ExitCode> {
  return withRuntime(openRuntime(choices, io), async ({ runtime, packageOf }) => {
    const listed = groupByCategory(runtime.tools()).flatMap((group) => group.tools);
    const rows = listed.map(({ name, canonicalName, category, permissions, approval, pack, summary }) => ({
      name,
      category,
      permissions,
      approval,
      package: packageOf.get(canonicalName) ?? pack ?? "",
      summary,
    }));
    if (choices.json === true) printJson(io.stdout, rows);
    else
      printText(
        io.stdout,
        formatTable(HEADER, rows.map(toCells), {
          width: tableWidth(io),
          text: "PERMISSIONS",
          spare: ["PACKAGE", "CATEGORY"],
        }),
      );
    return EXIT.ok;
  });
}

const HEADER = ["NAME", "CATEGORY", "PERMISSIONS", "APPROVAL", "PACKAGE"];

function toCells(row: {
  readonly name: string;
  readonly category: string;
  readonly permissions: readonly string[];
  readonly approval: string;
  readonly package: string;
}): readonly string[] {
  return [row.name, row.category, row.permissions.join(" "), row.approval, row.package];
}
