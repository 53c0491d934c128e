/** Whether a text has no lone surrogates, so that every Unicode encoding can represent it exactly. */
export function isWellFormed(text: string): boolean {
  return (text as WellFormedString).isWellFormed();
}

// Every supported Node has the method; the ES2023 library this package compiles against does not declare it.
type WellFormedString = string & { isWellFormed(): boolean };
