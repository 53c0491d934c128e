export { ApplyPatch } from "./apply-patch/apply-patch-tool.js";
export { Edit } from "./edit/edit-tool.js";
export { EditLines } from "./edit-lines/edit-lines-tool.js";
export { ReplaceInFile } from "./replace-in-file/replace-in-file-tool.js";
