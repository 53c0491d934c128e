import { type Redact, redactStrings } from "@haft/core";
import type { LocalFolder } from "@haft/core/workspace";
import { createShapeRedactor, redactShapes, type ShapeRedactor } from "@haft/text";
import type { SecretShapeConfig } from "../config/haft-config.js";
import { FileSecrets } from "./file-secrets.js";

interface OutputRedactorOptions {
  /** Replaces known values; runs first. */
  readonly known?: Redact | undefined;
  /** Replaces text with the shape of a credential. Default: the published shapes. */
  readonly shapes?: ShapeRedactor | undefined;
}

/**
 * Redacts program output: known values, values in the workspace's sensitive files, then text with the shape of a
 * credential. File reads stay exact, because someone may edit the file.
 */
export function outputRedactor(local: LocalFolder, options: OutputRedactorOptions = {}): Redact {
  const { known = (value) => value, shapes = redactShapes } = options;
  const files = new FileSecrets(local);
  const byShape = redactStrings(shapes);
  return (value) => byShape(files.redact(known(value)));
}

/** Combines the published shapes with the host's own. */
export function shapeRedactor(own: readonly SecretShapeConfig[] = []): ShapeRedactor {
  if (own.length === 0) return redactShapes;
  return createShapeRedactor(
    own.map(({ name, prefix, minLength, maxLength = MAX_LENGTH }) => ({
      name,
      prefixes: [prefix],
      body: `[\\w.~+/=-]{${minLength},${Math.max(minLength, maxLength)}}`,
    })),
  );
}

const MAX_LENGTH = 256;
