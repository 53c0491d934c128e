// The entry "@haft/core/workspace": for authors of workspace stores, and for tools that handle paths and changes
// themselves.
export { Pace } from "./runtime/pace.js";
export { configuredCharset, namedFormat } from "./workspace/declared-text.js";
export { describeChange } from "./workspace/describe-change.js";
export { editorConfigValue } from "./workspace/editor-config.js";
export {
  type CreateChange,
  type DeleteChange,
  type DirectoryMode,
  directoryWithMode,
  type FileChange,
  type FileState,
  isModeChange,
  type KeptState,
  type ModifyChange,
  type MoveChange,
  type NewState,
  pathsOf,
  type Snapshot,
} from "./workspace/file-change.js";
export { OverlayWorkspace } from "./workspace/overlay-workspace.js";
export { parsePath } from "./workspace/parse-path.js";
export {
  binaryFile,
  cannotReadDirectory,
  directoryNotFound,
  fileNotFound,
  fileTooLarge,
  invalidPath,
  isLinkLoop,
  notADirectory,
  showPath,
  tooManyEntries,
  tooManyLinks,
} from "./workspace/path-errors.js";
export {
  baseName,
  isInside,
  joinPath,
  linkDestination,
  normalizePath,
  parentPath,
  relativePath,
} from "./workspace/path-text.js";
export type {
  ByteRange,
  FileType,
  MoveOptions,
  ReadTextOptions,
  SplicedPlace,
  StreamRange,
  TextFilePart,
  WalkOptions,
  WorkspaceAnchor,
  WorkspaceCreator,
  WorkspaceMover,
  WorkspaceRemover,
  WriteOptions,
  WriteTextOptions,
} from "./workspace/workspace.js";
export type {
  CommitCall,
  LocalFolder,
  LocateOptions,
  Location,
  PathState,
  StoredTextPart,
} from "./workspace/workspace-store.js";
