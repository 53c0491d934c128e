/** How a text is stored: everything besides its characters that is needed to write the same bytes again. */
export interface TextFormat {
  /** Lower-case name such as "utf-8", "utf-16le", "shift_jis" or "windows-1252". */
  readonly encoding: string;
  /** Whether the file starts with a byte order mark. The decoded text never contains it. */
  readonly bom: boolean;
}
