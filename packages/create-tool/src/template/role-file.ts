/** A role that may read everything and write below docs/. */
export function roleFile(name: string): string {
  const role = {
    $schema: "https://unpkg.com/@haft/runtime-node/src/roles/haft.role.schema.json",
    name,
    permissions: ["ReadFiles", "WriteFiles", "CreateFiles"],
    rules: [
      { effect: "allow", when: { path: "docs/**", change: ["create", "modify"] } },
      {
        effect: "deny",
        when: { path: { not: "docs/**" }, change: ["create", "modify", "delete", "move"] },
        reason: `${name} writes below docs/ only`,
      },
    ],
  };
  return `${JSON.stringify(role, undefined, 2)}\n`;
}
