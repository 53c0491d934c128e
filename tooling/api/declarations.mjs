// Reads the declarations that tsc emitted: the names each entry exports, and the types they refer to.
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import ts from "typescript";

/** The declaration files of one package, each parsed once. */
export class Declarations {
  #files = new Map();

  /** @returns {Map<string, {file: string, name: string}>} what an entry exports, by its public name */
  exportsOf(file) {
    const found = new Map();
    const { statements, declared } = this.#parsed(file);
    for (const [name, nodes] of declared)
      if (nodes.some((node) => isExported(node))) found.set(name, { file, name });
    for (const node of statements.filter(ts.isExportDeclaration))
      for (const { name, propertyName } of node.exportClause?.elements ?? [])
        found.set(name.text, this.#resolve(file, (propertyName ?? name).text, node.moduleSpecifier?.text));
    return found;
  }

  /** Returns the text of a declaration without comments, and the positions of everything it refers to. */
  declarationOf({ file, name }) {
    const { declared, source } = this.#parsed(file);
    const nodes = declared.get(name) ?? [];
    const text = nodes.map((node) => PRINTER.printNode(ts.EmitHint.Unspecified, node, source)).join("\n");
    const names = new Set(nodes.flatMap((node) => identifiersIn(node)));
    const places = [...names].flatMap((one) => this.#placeOf(file, one) ?? []);
    return { text, places };
  }

  #placeOf(file, name) {
    const { declared, imported } = this.#parsed(file);
    if (declared.has(name)) return { file, name };
    const from = imported.get(name);
    return from?.specifier.startsWith(".") ? this.#resolve(file, from.name, from.specifier) : undefined;
  }

  /** Follows re-exports within the package. A name of another package stays where it is. */
  #resolve(file, name, specifier) {
    if (specifier === undefined) return this.#placeOf(file, name) ?? { file, name };
    if (!specifier.startsWith(".")) return { file: specifier, name };
    const target = resolve(dirname(file), specifier.replace(/\.js$/, ".d.ts"));
    return this.exportsOf(target).get(name) ?? { file: target, name };
  }

  #parsed(file) {
    const known = this.#files.get(file) ?? parse(file);
    this.#files.set(file, known);
    return known;
  }
}

const PRINTER = ts.createPrinter({ removeComments: true });

function parse(file) {
  // A declaration of another package: only the name under which it is exported is ours.
  if (!file.endsWith(".d.ts")) return { statements: [], declared: new Map(), imported: new Map() };
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const declared = new Map();
  const imported = new Map();
  for (const node of source.statements) {
    for (const name of namesOf(node)) declared.set(name, [...(declared.get(name) ?? []), node]);
    if (!ts.isImportDeclaration(node)) continue;
    for (const { name, propertyName } of node.importClause?.namedBindings?.elements ?? [])
      imported.set(name.text, { name: (propertyName ?? name).text, specifier: node.moduleSpecifier.text });
  }
  return { source, statements: [...source.statements], declared, imported };
}

function namesOf(node) {
  if (ts.isVariableStatement(node))
    return node.declarationList.declarations.map(({ name }) => name.text ?? "");
  return node.name !== undefined && !ts.isImportDeclaration(node) ? [node.name.text] : [];
}

function isExported(node) {
  return node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
}

function identifiersIn(node) {
  const found = [];
  const visit = (child) => {
    if (ts.isIdentifier(child)) found.push(child.text);
    ts.forEachChild(child, visit);
  };
  visit(node);
  return found;
}
