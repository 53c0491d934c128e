/** Contains the addresses that git fetches from, sometimes with credentials. */
export const GIT_SETTINGS = ".git/config";

/** Returns the user part of addresses in a text: a password, or a token in place of a user. */
export function remoteCredentials(text: string): readonly string[] {
  const found = new Set<string>();
  for (const [, userinfo = ""] of text.matchAll(USERINFO))
    for (const part of userinfo.split(":")) {
      for (const value of [part, decoded(part)]) if (value.length >= MIN_CHARS) found.add(value);
    }
  return [...found];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const USERINFO = /:\/\/([^\s/@]{1,1000})@/g;
/** Shorter ones are names such as git. */
const MIN_CHARS = 8;
