import { type LocalFolder, type Redact, redactStrings } from "@haft/core";
import { redactShapes } from "@haft/text";
import { FileSecrets } from "./file-secrets.js";

/**
 * For what programs print: known values, the values in the workspace's own sensitive files, then whatever has the
 * shape of a credential. Files that are read are not treated so: somebody may want to edit them.
 */
export function outputRedactor(local: LocalFolder, known: Redact = (value) => value): Redact {
  const files = new FileSecrets(local);
  const shapes = redactStrings(redactShapes);
  return (value) => shapes(files.redact(known(value)));
}
