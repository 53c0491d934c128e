/** No lone surrogates: the text can be written in any Unicode encoding and read back unchanged. */
export function isWellFormed(text: string): boolean {
  return (text as WellFormedString).isWellFormed();
}

// Every supported Node has the method; the ES2023 library this package compiles against does not list it.
type WellFormedString = string & { isWellFormed(): boolean };
