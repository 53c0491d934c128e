/** Creates a module whose exports load the real module when they are called, constructed or inspected. */
export function standIn(names, load) {
  return `
    let loaded;
    const library = () => (loaded ??= ${load});
    const later = (pick) => new Proxy(function () {}, {
      get: (_, key) => Reflect.get(pick(), key),
      apply: (_, self, args) => Reflect.apply(pick(), self, args),
      construct: (_, args, made) => Reflect.construct(pick(), args, made),
    });
    export default /* @__PURE__ */ later(library);
    ${names.map((name) => `export const ${name} = /* @__PURE__ */ later(() => library().${name});`).join("\n")}
  `;
}

/** Returns the names that a stand-in can export. */
export function functionsOf(library) {
  return Object.entries(library)
    .filter(([name, value]) => typeof value === "function" && name !== "default")
    .map(([name]) => name);
}
