import ts from "typescript";
import type { SourceFile } from "./source-files.js";

/** Returns the house rules that a file breaks, one sentence each. Biome checks the rest. */
export function sourceProblems(file: SourceFile): readonly string[] {
  const tree = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.ES2022, true);
  const problems = [...sizeProblems(file), ...moduleStateProblems(file, tree)];
  const visit = (node: ts.Node): void => {
    problems.push(
      ...replaceProblems(file, tree, node),
      ...hostProblems(file, tree, node),
      ...catalogProblems(file, tree, node),
    );
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return problems;
}

const MAX_LINES = 300;
const HOST_PACKAGES = new Set(["runtime-node", "cli", "mcp", "testing", "console", "workspace-ssh"]);
/** A script generates this file from its source; it is never edited by hand. */
const GENERATED = /\.generated\.ts$/;

function sizeProblems({ path, text }: SourceFile): readonly string[] {
  const lines = text.split("\n").length - 1;
  return lines > MAX_LINES && !GENERATED.test(path) ? [`${path}: ${lines} lines; at most ${MAX_LINES}`] : [];
}

/** A module-level `let` is state that two runtimes in one process would share. */
function moduleStateProblems({ path }: SourceFile, tree: ts.SourceFile): readonly string[] {
  return tree.statements
    .filter((statement) => ts.isVariableStatement(statement))
    .filter(
      (statement) => (statement.declarationList.flags & (ts.NodeFlags.Const | ts.NodeFlags.Using)) === 0,
    )
    .map((statement) => `${path}:${lineOf(tree, statement)}: module-level mutable state`);
}

/** `text.replace(find, replacement)` expands `$&` in the replacement, which corrupts a model's text. */
function replaceProblems({ path }: SourceFile, tree: ts.SourceFile, node: ts.Node): readonly string[] {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
  if (!["replace", "replaceAll"].includes(node.expression.name.text)) return [];
  const replacement = node.arguments[1];
  if (replacement === undefined || isSafeReplacement(replacement, node.arguments[0])) return [];
  return [
    `${path}:${lineOf(tree, node)}: a replacement that is not a literal or a function; use replaceLiterally or () => text`,
  ];
}

/** A function is safe, and so is a literal, whose author wrote every `$`. A text from elsewhere is not safe. */
function isSafeReplacement(node: ts.Expression, pattern: ts.Expression | undefined): boolean {
  if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return true;
  if (ts.isConditionalExpression(node)) {
    return isSafeReplacement(node.whenTrue, pattern) && isSafeReplacement(node.whenFalse, pattern);
  }
  if (ts.isIdentifier(node)) return isFunctionOf(node.getSourceFile(), node.text);
  if (!ts.isStringLiteralLike(node)) return false;
  return !node.text.includes("$") || (pattern !== undefined && ts.isRegularExpressionLiteral(pattern));
}

function isFunctionOf(file: ts.SourceFile, name: string): boolean {
  return file.statements.some(
    (statement) => ts.isFunctionDeclaration(statement) && statement.name?.text === name,
  );
}

/** Only a host may know that it runs in a process. */
function hostProblems(
  { path, packageName }: SourceFile,
  tree: ts.SourceFile,
  node: ts.Node,
): readonly string[] {
  if (HOST_PACKAGES.has(packageName) || path.includes("/node/") || !ts.isIdentifier(node)) return [];
  if (!["process", "Buffer", "__dirname"].includes(node.text)) return [];
  const { parent } = node;
  const isReference =
    !(ts.isPropertyAccessExpression(parent) && parent.name === node) &&
    !ts.isPropertyAssignment(parent) &&
    !ts.isTypeNode(parent) &&
    !ts.isPropertySignature(parent);
  return isReference ? [`${path}:${lineOf(tree, node)}: ${node.text} outside a host package`] : [];
}

/** Importing a pack registers its tools, and only a runtime offers them, so no other code reads the catalog. */
function catalogProblems({ path }: SourceFile, tree: ts.SourceFile, node: ts.Node): readonly string[] {
  if (path.startsWith("packages/core/") || path.startsWith("packages/runtime-node/")) return [];
  if (!ts.isImportSpecifier(node) || node.name.text !== "catalog") return [];
  return [`${path}:${lineOf(tree, node)}: only runtime-node reads the catalog`];
}

function lineOf(tree: ts.SourceFile, node: ts.Node): number {
  return tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
}
