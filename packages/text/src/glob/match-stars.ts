/**
 * Matches a subject of `length` characters or bytes against tokens, of which `*` stands for any number of them. Only
 * the last `*` is ever retried, so time is at most the number of tokens times `length`.
 */
export function matchStars<T>(
  tokens: readonly (T | "*")[],
  length: number,
  accepts: (token: T, at: number) => boolean,
): boolean {
  let token = 0;
  let at = 0;
  let star = -1;
  let starAt = 0;
  while (at < length) {
    const current = tokens[token];
    if (current === "*") {
      star = token++;
      starAt = at;
    } else if (current !== undefined && accepts(current, at)) {
      token++;
      at++;
    } else if (star >= 0) {
      token = star + 1;
      at = ++starAt;
    } else return false;
  }
  while (tokens[token] === "*") token++;
  return token === tokens.length;
}
