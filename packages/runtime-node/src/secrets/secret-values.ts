/** A value that must not leave, under the name that stands in its place. */
export interface SecretValue {
  readonly name: string;
  readonly value: string;
}

export interface SecretSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Values the host registered. */
  readonly knownSecrets?: readonly string[];
}

/** The values of variables that are named like secrets, and those the host registered. */
export function secretValues({ env, knownSecrets = [] }: SecretSources): readonly SecretValue[] {
  const known = knownSecrets.map((value, index) => ({ name: `known-${index + 1}`, value }));
  const fromEnv = Object.entries(env)
    .filter(([name, value]) => SECRET_NAME.test(name) && (value?.length ?? 0) >= MIN_ENV_LENGTH)
    .map(([name, value]) => ({ name, value: value as string }));
  return [...known.filter(({ value }) => value.length > 0), ...fromEnv];
}

const SECRET_NAME = /TOKEN|SECRET|PASS(WORD|WD)?|KEY|CREDENTIAL|AUTH|PRIVATE|(?:^|_)PAT(?:_|$)/i;

// Shorter values are words such as "true" that would be taken out of ordinary text.
const MIN_ENV_LENGTH = 8;
