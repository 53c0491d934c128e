/**
 * Returns a regular expression that is made on first use. V8 expands each `\p{…}` of a literal while it reads the
 * file, whether the literal is used or not: up to 2 ms of every start for each.
 */
export function lazyPattern(source: string, flags = "u"): () => RegExp {
  let made: RegExp | undefined;
  return () => {
    made ??= new RegExp(source, flags);
    return made;
  };
}
