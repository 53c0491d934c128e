import {
  type DecodedText,
  declaredCharset,
  decodeTextSteps,
  type TextFormat,
  textFormatOf,
} from "@haft/text";
import { ToolError } from "../error/tool-error.js";
import { Pace } from "../runtime/pace.js";
import { editorConfigValue } from "./editor-config.js";
import type { ReadTextOptions, TextFile, WorkspaceReader } from "./workspace.js";

/**
 * Reads a text file in the given encoding. Without one, uses the file's own declaration, then `.editorconfig`, then
 * detection.
 */
export async function readDeclaredText(
  store: WorkspaceReader,
  path: string,
  { encoding }: ReadTextOptions = {},
): Promise<TextFile> {
  const named = namedFormat(encoding);
  if (named !== undefined) return readInEncoding(store, path, { label: encoding ?? "", format: named });
  try {
    const file = await store.readTextFile(path);
    return file.doubt === undefined ? file : ((await readAsConfigured(store, file.path)) ?? file);
  } catch (error) {
    const isBinary = ToolError.is(error) && error.code === "BINARY_FILE";
    const file = isBinary ? await readAsConfigured(store, path) : undefined;
    if (file === undefined) throw error;
    return file;
  }
}

/** Returns the charset that `.editorconfig` declares for a file. */
export function configuredCharset(
  path: string,
  workspace: Pick<WorkspaceReader, "readText">,
): Promise<string | undefined> {
  return editorConfigValue(path, "charset", workspace);
}

/**
 * Returns the format for non-ASCII text in a file that is ASCII so far: the text's own declaration, else the one in
 * `.editorconfig`. Undefined means UTF-8.
 */
export async function declaredFormat(
  path: string,
  text: string,
  workspace: Pick<WorkspaceReader, "readText">,
): Promise<TextFormat | undefined> {
  if (/^[\0-\x7f]*$/.test(text)) return undefined;
  const own = declaredCharset(text.slice(0, DECLARING_CHARS));
  return textFormatOf(own ?? (await configuredCharset(path, workspace)) ?? "utf-8");
}

const DECLARING_CHARS = 1024;

/**
 * Resolves an encoding name; throws INVALID_ARGUMENTS for an unknown one. Returns undefined for no name, and for
 * "utf-8": models pass it out of habit, and UTF-8 files are detected anyway.
 */
export function namedFormat(encoding: string | undefined): TextFormat | undefined {
  if (encoding === undefined || /^utf-?8$/i.test(encoding)) return undefined;
  const format = textFormatOf(encoding);
  if (format !== undefined) return format;
  throw new ToolError("INVALID_ARGUMENTS", `Unknown encoding ${JSON.stringify(encoding.slice(0, 40))}`, {
    hint: "Use a name such as windows-1251, koi8-r, iso-8859-2, windows-1255, shift_jis, gb18030, euc-kr or utf-16le.",
  });
}

async function readInEncoding(
  store: WorkspaceReader,
  path: string,
  { label, format }: { readonly label: string; readonly format: TextFormat },
): Promise<TextFile> {
  const decoded = await new Pace().run(decodeTextSteps(await store.readBytes(path), { encoding: label }));
  if (decoded !== undefined) return textFileOf(store, path, decoded);
  throw new ToolError("ENCODING_ERROR", `The bytes of ${path} are not valid ${format.encoding}`, {
    hint: "Leave encoding out to detect it, or name another one.",
    details: { path, encoding: format.encoding },
  });
}

async function readAsConfigured(store: WorkspaceReader, path: string): Promise<TextFile | undefined> {
  const declared = await configuredCharset(path, store);
  if (declared === undefined) return undefined;
  const decoded = await new Pace().run(decodeTextSteps(await store.readBytes(path), { declared }));
  return decoded && textFileOf(store, path, decoded);
}

async function textFileOf(store: WorkspaceReader, path: string, decoded: DecodedText): Promise<TextFile> {
  return { ...(await store.stat(path)), ...decoded, hash: await store.hashOf(path) };
}
