/** A value to redact, and the name shown in its place. */
export interface SecretValue {
  readonly name: string;
  readonly value: string;
}

export interface SecretSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Values the host registered. */
  readonly knownSecrets?: readonly string[];
}

/** Returns the values of variables with secret-like names, and those the host registered. */
export function secretValues({ env, knownSecrets = [] }: SecretSources): readonly SecretValue[] {
  const known = knownSecrets.map((value, index) => ({ name: `known-${index + 1}`, value }));
  const fromEnv = Object.entries(env)
    .filter(([name, value]) => SECRET_NAME.test(name) && (value?.length ?? 0) >= MIN_ENV_LENGTH)
    .map(([name, value]) => ({ name, value: value as string }));
  return [...known.filter(({ value }) => value.length > 0), ...fromEnv];
}

const SECRET_NAME = /TOKEN|SECRET|PASS(WORD|WD)?|KEY|CREDENTIAL|AUTH|PRIVATE|(?:^|_)PAT(?:_|$)/i;

// Shorter values are words such as "true", which also occur in ordinary text.
const MIN_ENV_LENGTH = 8;
