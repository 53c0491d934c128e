// Counts the files of the public detection corpora whose text is read correctly.
// pnpm bench encodings CHARDET/tests CHARSET_NORMALIZER/data
import { decodeText } from "@haft/text";
import { corpusFiles } from "./corpora.mjs";

const folders = process.argv.slice(2);
if (folders.length === 0) {
  console.error("usage: pnpm bench encodings CHARDET/tests CHARSET_NORMALIZER/data");
  process.exit(2);
}

const counts = new Map();
const misses = [];
for (const folder of folders) {
  for (const file of corpusFiles(folder)) if (file.isInScope) judge(file);
}
report();

function judge({ path, encoding, bytes, text }) {
  const count = counts.get(encoding) ?? { files: 0, right: 0, guessed: 0, silentlyWrong: 0 };
  counts.set(encoding, count);
  const found = decodeText(bytes);
  const isRight = found?.text === text;
  count.files++;
  if (isRight) count.right++;
  if (found?.doubt !== undefined) count.guessed++;
  if (isRight) return;
  if (found !== undefined && found.doubt === undefined) count.silentlyWrong++;
  misses.push(
    `${encoding} ${path}: ${found === undefined ? "refused" : `${found.format.encoding}, ${found.doubt}`}`,
  );
}

function report() {
  console.table(Object.fromEntries([...counts].sort(([left], [right]) => (left < right ? -1 : 1))));
  for (const miss of misses) console.log(miss);
  const sum = (key) => [...counts.values()].reduce((total, count) => total + count[key], 0);
  const share = ((100 * sum("right")) / sum("files")).toFixed(2);
  console.log(
    `encodings: ${sum("right")} of ${sum("files")} files right (${share} %), ${sum("silentlyWrong")} wrong without a note, ${sum("guessed")} called a guess`,
  );
}
