import { type AnyToolClass, definitionOf } from "@haft/core";
import { pathParametersOf } from "./contract/read-schema.js";
import { openForContract, type ToolContractOptions } from "./contract/tool-contract-options.js";
import { expect } from "./runner/expect.js";
import { describe, it } from "./runner/runner.js";

export interface HostilePathOptions extends ToolContractOptions {
  /** The path parameters. Default: those declared with `s.path`; schemas of other libraries must name them. */
  readonly parameters?: readonly string[];
}

/**
 * Tests a tool that takes a path: a path that leaves the workspace, by its text or through a link, is refused and
 * changes nothing.
 */
export function describeHostilePaths(toolClass: AnyToolClass, options: HostilePathOptions): void {
  const definition = definitionOf(toolClass);
  const { parameters = pathParametersOf(definition.input), ...contract } = options;
  if (parameters.length === 0)
    throw new TypeError(`${definition.name} has no path parameter: name those that are in \`parameters\``);
  describe(`hostile paths: ${definition.name}`, () => {
    for (const parameter of parameters)
      for (const [kind, path] of HOSTILE_PATHS)
        it(`${parameter}: ${kind}`, async () => {
          const files = { ...contract.files, "way-out": { link: "/etc" }, "up-and-out": { link: "../.." } };
          const { runtime } = openForContract(toolClass, { ...contract, files });
          const before = runtime.workspace.dump();
          const result = await runtime.call(definition.name, { ...contract.args, [parameter]: path });
          expect(result).toMatchObject({ ok: false });
          expect(result.ok ? "" : result.error.code).toMatch(
            /^(INVALID_PATH|INVALID_ARGUMENTS|ACCESS_DENIED)$/,
          );
          expect(runtime.workspace.dump()).toEqual(before);
        });
  });
}

const HOSTILE_PATHS: readonly (readonly [kind: string, path: string])[] = [
  ["a parent", "../outside.txt"],
  ["a parent below a folder", "a/../../outside.txt"],
  ["only parents", "../.."],
  ["an absolute path", "/etc/passwd"],
  ["an absolute path with an empty segment", "//etc/passwd"],
  ["a NUL byte", "a\0.txt"],
  ["a newline", "a\n.txt"],
  ["an escape sequence", "a\u001b[2J.txt"],
  ["a link to an absolute path", "way-out/passwd"],
  ["a link to a parent", "up-and-out/outside.txt"],
];
