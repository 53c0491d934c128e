// The entry point "@haft/text/path-rules": globs and ignore files. Separate so that a search worker loads nothing
// else. Any export added here becomes public API.
export { expandBraces } from "./glob/expand-braces.js";
export { type GlobOptions, globMatcher, type PathMatcher } from "./glob/glob-matcher.js";
export { linkedGitFolder, placeBehind } from "./ignore/git-link.js";
export { IgnoreFile, type IgnoreVerdict, MAX_IGNORE_FILE_BYTES } from "./ignore/ignore-file.js";
export { IgnoreScope, type IgnoreTexts } from "./ignore/ignore-scope.js";
export { cutIgnoreText } from "./ignore/parse-ignore-line.js";
export { exceedsLimit, PatternError } from "./pattern-error.js";
export { type PatternRefusal, patternRefusal, type RefusedPattern } from "./pattern-refusal.js";
export { isPlainName } from "./plain-name.js";
export {
  HARMLESS_ENV_FILES,
  holdsSensitiveNames,
  isGitStore,
  isSensitiveName,
  mayBeSensitive,
  PARTLY_SENSITIVE_FOLDERS,
  SENSITIVE_FOLDERS,
  SENSITIVE_GLOBS,
  SENSITIVE_PATH_GLOBS,
} from "./sensitive-names.js";
