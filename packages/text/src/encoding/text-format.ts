/** How a text was stored: what it takes, beside the characters, to write the same bytes again. */
export interface TextFormat {
  /** A lower-case name such as "utf-8", "utf-16le", "shift_jis" or "windows-1252". */
  readonly encoding: string;
  /** Whether the file starts with a byte order mark; the decoded text never contains it. */
  readonly bom: boolean;
}
