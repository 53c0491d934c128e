// Writes source trees from a fixed seed: folders, ignore files and files that resemble code in several languages. Every
// run on every machine searches the same bytes.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";

export const SIZES = { small: 500, medium: 8000, large: 40_000 };

/** Returns the path of the tree. Creates it if it is missing. */
export function corpus(folder, files, seed = 20_240_607) {
  const root = `${folder}/corpus-${files}`;
  if (existsSync(`${root}/.complete`)) return root;
  const random = randomFrom(seed + files);
  const vocabulary = words(random, 4000);
  writeTree(root, files, (index) => sourceFile(random, vocabulary, index));
  writeFileSync(`${root}/.gitignore`, "node_modules/\ndist/\n*.log\n/coverage/\n!keep.log\n");
  mkdirSync(`${root}/.git/info`, { recursive: true });
  writeFileSync(`${root}/.git/HEAD`, "ref: refs/heads/main\n");
  writeFileSync(`${root}/.complete`, "");
  // Haft keeps nothing of files younger than a minute: a tree searched at once would show another product.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SETTLED_MS);
  return root;
}

const SETTLED_MS = 65_000;

function writeTree(root, files, content) {
  const perFolder = 12;
  for (let index = 0; index < files; index++) {
    const group = Math.floor(index / perFolder);
    const path = `${root}/package${group % 23}/src/area${Math.floor(group / 23) % 17}/part${Math.floor(group / 391)}`;
    mkdirSync(path, { recursive: true });
    writeFileSync(
      `${path}/file${index}.${["ts", "js", "py", "rs", "md", "json"][index % 6]}`,
      content(index),
    );
  }
  for (let index = 0; index < files / 20; index++) {
    const path = `${root}/node_modules/dependency${index % 50}`;
    mkdirSync(path, { recursive: true });
    writeFileSync(`${path}/index${index}.js`, content(index));
  }
}

function sourceFile(random, vocabulary, index) {
  const lines = [];
  const count = 20 + random(40) * random(12);
  for (let line = 0; line < count; line++) lines.push(sourceLine(random, vocabulary));
  if (index % 97 === 0) lines.splice(random(lines.length), 0, `// 漢字 ${pick(random, vocabulary)} résumé`);
  if (index % 331 === 0) lines.splice(random(lines.length), 0, "const needleInHaystack = unfindable();");
  return `${lines.join("\n")}\n`;
}

const SHAPES = [
  (w) => `import { ${w()}, ${w()} } from "./${w()}/${w()}.js";`,
  (w) => `export function ${w()}${cap(w())}(${w()}, ${w()}) {`,
  (w) => `export async function ${w()}(${w()}) {`,
  (w, r) => `  const ${w()} = await ${w()}.${w()}(${w()}, ${r(10_000)});`,
  (w) => `  if (${w()}.${w()} === "${w()}") return ${w()};`,
  (w) => `    // ${w()} the ${w()} of ${w()} before ${w()} is ${w()}`,
  (w) => `  ${w()}.on("${w()}", ${w()}Handler(${w()}));`,
  (w, r) => `  { "${w()}": "${w()} ${w()}", "${w()}": ${r(1_000_000)} },`,
  (w) => `    return ${w()}(${w()}).map((${w()}) => ${w()}.${w()});`,
  (w) => `def ${w()}_${w()}(self, ${w()}=None):`,
  (w) => `        raise ${cap(w())}Error(f"{${w()}} is not ${w()}")`,
  (w) => `pub fn ${w()}_${w()}(&self) -> Result<${cap(w())}, ${cap(w())}> {`,
  () => "}",
  () => "",
  (w) => `The ${w()} ${w()} ${w()} when ${w()} and ${w()}, see [${w()}](https://example.org/${w()}).`,
  (w) => `   * @param ${w()} ${w()} ${w()}; TODO ${w()}`,
];

function sourceLine(random, vocabulary) {
  return SHAPES[random(SHAPES.length)](() => pick(random, vocabulary), random);
}

function words(random, count) {
  const syllables =
    "ser ver con fig par se get set val ue in dex list map re quest sponse err or up date cre ate da ta load file path na me".split(
      " ",
    );
  return Array.from({ length: count }, () => {
    const length = 1 + random(4);
    return Array.from({ length }, (_, at) =>
      at > 1 && random(3) === 0 ? cap(pick(random, syllables)) : pick(random, syllables),
    ).join("");
  });
}

// Some words are much more common than others, as in real code.
function pick(random, list) {
  return list[Math.floor((random(list.length) * random(list.length)) / list.length)];
}

function cap(word) {
  return word[0].toUpperCase() + word.slice(1);
}

function randomFrom(seed) {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
