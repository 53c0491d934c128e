/** An object that a git argument may name, if the name itself does not tell its kind. */
export interface NamedObject {
  readonly name: string;
  /** Whether it also names a path in it. */
  readonly hasPath: boolean;
}

/**
 * Returns the objects to look up for an argument: either end of a range, and the whole, because git tries that too.
 * Leaves out forms that always mean a commit or a file in the index.
 */
export function objectsIn(operand: string): readonly NamedObject[] {
  const ends = [operand, ...operand.split(/\.{2,3}/)];
  return [...new Set(ends)].flatMap((end) => [...describedIn(end), ...namedIn(end.replace(/^\^/, ""))]);
}

/** git reads `ANYTHING-gID` as the object with that id, before it looks at colons. */
function describedIn(text: string): readonly NamedObject[] {
  const id = /-g([0-9a-f]{4,})(?:[~^].*)?$/i.exec(text)?.[1];
  return id === undefined ? [] : [{ name: id, hasPath: false }];
}

function namedIn(text: string): readonly NamedObject[] {
  const colon = colonIn(text);
  const revision = colon === -1 ? text : text.slice(0, colon);
  // The tree of a commit is the top, from which paths count; a commit's parents are commits.
  const name = revision.replace(/\^(?:\{tree\}|[@!]|-\d*)$/, "");
  if (name === "" || CERTAINLY_COMMIT.test(name) || EMPTY_FOLDERS.has(name)) return [];
  return [{ name, hasPath: colon !== -1 }];
}

/** Returns the first colon outside a search such as `HEAD^{/fix: this}`. */
function colonIn(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "{") depth += 1;
    else if (text[at] === "}" && depth > 0) depth -= 1;
    else if (text[at] === ":" && depth === 0) return at;
  }
  return -1;
}

const CERTAINLY_COMMIT = /^(?:HEAD|@)(?:[~^]\d*)*$/;

const EMPTY_FOLDERS: ReadonlySet<string> = new Set([
  "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
]);
