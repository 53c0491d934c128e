/** Classifies the value of a setting by its name. Compares words, not letters: AUTHOR does not contain AUTH. */
export function settingName(name: string): { readonly isSecret: boolean; readonly isPassword: boolean } {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .map((word) => word.replace(/\d+$/, ""))
    .filter((word) => word !== "");
  const last = words.at(-1) ?? "";
  const isSecret =
    !ABOUT_A_SECRET.has(last) && words.some((word) => SECRET_WORD.test(word) || isPwd(word, words));
  return { isSecret, isPassword: isSecret && (PASSWORD_WORD.test(last) || isPwd(last, words)) };
}

/** Alone, PWD is the working directory. */
function isPwd(word: string, words: readonly string[]): boolean {
  return word === "PWD" && words.length > 1;
}

// Suffixes count, as in PGPASSWORD and APIKEY; short ones only as whole words.
const SECRET_WORD =
  /(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|(?<!^MON|^TUR|^DON)KEY)S?$|^(?:O?AUTH|AUTHORIZATION|PRIVATE|PAT)$|(?<!^BY|^COM|^SUR|^TRES)PASS$/;

const PASSWORD_WORD = /(?:PASSWORD|PASSWD|PASS|PASSPHRASE|SECRET)$/;

/** Settings that describe a secret but are none: its place, lifetime or name. */
const ABOUT_A_SECRET: ReadonlySet<string> = new Set([
  ...[
    "URL",
    "URI",
    "HOST",
    "HOSTNAME",
    "PORT",
    "DOMAIN",
    "ENDPOINT",
    "SERVER",
    "ISSUER",
    "AUDIENCE",
    "REGION",
  ],
  ...[
    "TTL",
    "MS",
    "SECONDS",
    "MINUTES",
    "HOURS",
    "DAYS",
    "TIMEOUT",
    "EXPIRY",
    "EXPIRES",
    "EXPIRATION",
    "AGE",
  ],
  ...[
    "HEADER",
    "REALM",
    "NAME",
    "FILE",
    "FILENAME",
    "PATH",
    "DIR",
    "MODE",
    "TYPE",
    "ALGORITHM",
    "ALGORITHMS",
  ],
  ...[
    "ALG",
    "METHOD",
    "PROVIDER",
    "PREFIX",
    "LENGTH",
    "SIZE",
    "COUNT",
    "LIMIT",
    "RATE",
    "ENABLED",
    "VERSION",
  ],
]);
