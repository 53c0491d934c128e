import type { PackNames } from "../pack-names.js";
import type { PackProject } from "../scaffold.js";

/** The sources of a package with two tools that share a service and a section of the configuration. */
export function packSources({ names, language, style }: PackProject): Readonly<Record<string, string>> {
  const { folder, toolName, exportName, packageName } = names;
  const isClass = style === "decorator";
  const written = isClass ? decorated : plain;
  const file = (name: string) => `src/${name}.${language}`;
  return {
    [file("index")]: `export { Add${exportName} } from "./add-${folder}.js";
export { CLOCK } from "./clock.js";
export { List${exportName} } from "./list-${folder}.js";
`,
    [file("clock")]: `import { token } from "@haft/core";

${isClass ? "export interface Clock {\n  now(): Date;\n}\n\n" : ""}/** A service with a default: a host may register another clock, a test a fixed one. */
export const CLOCK = token${isClass ? "<Clock>" : ""}("${packageName}.clock", () => ({ now: () => new Date() }));
`,
    [file("settings")]: `import { configSection, s } from "@haft/core";

${isClass ? "export interface Settings {\n  readonly file: string;\n}\n\n" : ""}/** What haft.config.json says under packConfig.${toolName}. */
export const SETTINGS = configSection(
  "${toolName}",
  s.object({ file: s.string("Where entries are kept", { default: "${folder}.md" }) }),
);
`,
    [file(`add-${folder}`)]: written(addTool(names)),
    [file(`list-${folder}`)]: written(listTool(names)),
    [file(folder).replace(/\.(ts|js)$/, ".test.$1")]: contractTest(names, language),
  };
}

/** The differences between the two tools. */
interface PackTool {
  readonly className: string;
  /** The definition, from the name to the list of services. */
  readonly definition: string;
  /** The name and type of each service, as the constructor of a class takes them. */
  readonly services: readonly (readonly [name: string, type: string])[];
  /** The body of `run`; `file` and `clock` are in scope. */
  readonly body: string;
  readonly args: string;
}

function addTool({ toolName, exportName, words }: PackNames): PackTool {
  return {
    className: `Add${exportName}`,
    definition: `  name: "add_${toolName}",
  summary: "Add an entry to the ${words} file.",
  permissions: ["ReadFiles", "WriteFiles", "CreateFiles"],
  input: s.object({ text: s.string("One line", { minLength: 1 }) }),
  output: s.object({ entry: s.string("The line that was added") }),
  inject: [CLOCK, SETTINGS],
`,
    services: [
      ["clock", "Clock"],
      ["settings", "Settings"],
    ],
    args: "{ text }",
    body: `    const entry = \`\${clock.now().toISOString().slice(0, 10)} \${text.replaceAll("\\n", " ")}\`;
    if (await workspace.exists(file)) await workspace.writeText(file, \`\${await workspace.readText(file)}\${entry}\\n\`);
    else await workspace.createText(file, \`\${entry}\\n\`);
    return { entry };
`,
  };
}

function listTool({ toolName, exportName, words }: PackNames): PackTool {
  return {
    className: `List${exportName}`,
    definition: `  name: "list_${toolName}",
  summary: "List the entries of the ${words} file.",
  permissions: ["ReadFiles"],
  input: s.object({}),
  output: s.object({ entries: s.array("The entries", s.string("A line")) }),
  inject: [SETTINGS],
`,
    services: [["settings", "Settings"]],
    args: "_args",
    body: `    if (!(await workspace.exists(file))) return { entries: [] };
    return { entries: (await workspace.readText(file)).split("\\n").filter(Boolean) };
`,
  };
}

function plain({ className, definition, services, args, body }: PackTool): string {
  const injected = services.map(([name]) => (name === "settings" ? "{ file }" : name));
  return `import { defineTool, s } from "@haft/core";
${importsOf(services, () => [])}
export const ${className} = defineTool({
${definition}
  async run(${[args, "{ workspace }", ...injected].join(", ")}) {
${body}  },
});
`;
}

function decorated({ className, definition, services, args, body }: PackTool): string {
  const fields = services.map(([name, type]) => `  readonly #${name}: ${type};\n`).join("");
  const parameters = services.map(([name, type]) => `${name}: ${type}`).join(", ");
  const assignments = services.map(([name]) => `    this.#${name} = ${name};\n`).join("");
  return `import { type ArgsOf, type ContextOf, s, tool, toolDefinition } from "@haft/core";
${importsOf(services, (type) => [`type ${type}`])}
const definition = toolDefinition({
${definition}});

@tool(definition)
export class ${className} {
${fields}
  constructor(${parameters}) {
${assignments}  }

  async run(${args}: ArgsOf<typeof definition>, { workspace }: ContextOf<typeof definition>) {
    const { file } = this.#settings;
${body.replace("clock.now()", "this.#clock.now()")}  }
}
`;
}

function importsOf(services: PackTool["services"], types: (type: string) => readonly string[]): string {
  const lines = services.map(([name, type]) => {
    const imported = [name.toUpperCase(), ...types(type)].sort((a, b) => a.localeCompare(b));
    return `import { ${imported.join(", ")} } from "./${name}.js";\n`;
  });
  return lines.join("");
}

function contractTest({ folder, exportName }: PackProject["names"], language: string): string {
  return `import { describeToolContract } from "@haft/testing";
import { Add${exportName}, CLOCK, List${exportName} } from "./index.js";
import { SETTINGS } from "./settings.js";

const services = [
  [CLOCK, { now: () => new Date(0) }],
  [SETTINGS, { file: "${folder}.md" }],
]${language === "ts" ? " as const" : ""};
const files = { "${folder}.md": "1970-01-01 first\\n" };

describeToolContract(Add${exportName}, { files, services, args: { text: "second" } });
describeToolContract(List${exportName}, { files, services, args: {} });
`;
}
