import { type AnyToolClass, definitionOf } from "@haft/core";
import { encodeText, type LineEnding, type TextFormat, withLineEnding } from "@haft/text";
import { openForContract, type ToolContractOptions } from "./contract/tool-contract-options.js";
import { expect } from "./runner/expect.js";
import { describe, it } from "./runner/runner.js";

/** One change of one text file, written with `\n`. */
export interface ByteFidelityOptions extends Omit<ToolContractOptions, "files" | "failing"> {
  readonly path: string;
  readonly before: string;
  /** The text after the call. */
  readonly after: string;
}

/**
 * Tests that a tool which changes part of a text file preserves its encoding, byte order mark, line endings and a
 * missing final newline.
 */
export function describeByteFidelity(toolClass: AnyToolClass, options: ByteFidelityOptions): void {
  const { name } = definitionOf(toolClass);
  describe(`byte fidelity: ${name}`, () => {
    for (const [kind, file] of Object.entries(FILES))
      it(`keeps ${kind}`, async () => {
        const { path, before, after, ...rest } = options;
        const files = { [path]: bytesOf(before, file) };
        const { runtime } = openForContract(toolClass, { ...rest, files });
        const result = await runtime.call(name, options.args);
        expect(result).toMatchObject({ ok: true });
        expect([...(await runtime.workspace.readBytes(path))]).toEqual([...bytesOf(after, file)]);
      });
  });
}

interface TextFile {
  readonly format: TextFormat;
  readonly ending: LineEnding;
  readonly isCutShort?: boolean;
}

const UTF_8: TextFormat = { encoding: "utf-8", bom: false };

const FILES: Readonly<Record<string, TextFile>> = {
  "UTF-8 with \\n": { format: UTF_8, ending: "lf" },
  "\\r\\n": { format: UTF_8, ending: "crlf" },
  "a missing newline at the end": { format: UTF_8, ending: "lf", isCutShort: true },
  "\\r\\n and a missing newline at the end": { format: UTF_8, ending: "crlf", isCutShort: true },
  "a byte order mark": { format: { encoding: "utf-8", bom: true }, ending: "lf" },
  "UTF-16, little endian": { format: { encoding: "utf-16le", bom: true }, ending: "crlf" },
  "UTF-16, big endian": { format: { encoding: "utf-16be", bom: true }, ending: "lf" },
};

function bytesOf(text: string, { format, ending, isCutShort = false }: TextFile): Uint8Array {
  const cut = isCutShort ? text.replace(/\n$/, "") : text;
  return encodeText(withLineEnding(cut, ending), format);
}
