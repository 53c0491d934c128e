// The files of the public detection corpora, each with the text it contains.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import iconv from "iconv-lite";

/** chardet keeps the files of an encoding in tests/ENCODING[-LANGUAGE]/, charset_normalizer its own in data/. */
export function* corpusFiles(folder) {
  const isChardet = readdirSync(folder).includes("KOI8-R");
  yield* isChardet ? chardetFiles(folder) : normalizerFiles(folder);
}

function* chardetFiles(folder) {
  for (const name of readdirSync(folder)) {
    const inside = join(folder, name);
    if (name === "__pycache__" || !statSync(inside).isDirectory()) continue;
    const encoding = name.toLowerCase().replace(LANGUAGE, "");
    for (const file of readdirSync(inside)) yield read(join(inside, file), encoding);
  }
}

function* normalizerFiles(folder) {
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".txt")))
    yield read(join(folder, file), NORMALIZER[file] ?? "utf-8");
}

function read(path, encoding) {
  const bytes = readFileSync(path);
  const name = MEANING[encoding] ?? encoding;
  const text = iconv.encodingExists(name) ? iconv.decode(bytes, name) : undefined;
  return { path: basename(path), encoding, bytes, text, isInScope: !OUT_OF_SCOPE.has(encoding) };
}

const LANGUAGE =
  /-(?:arabic|bulgarian|croatian|czech|greek|hebrew|hungarian|polish|romanian|russian|slovak|slovene|turkish)$/;

/** Files labelled with an old encoding name. */
const MEANING = {
  ascii: "utf-8",
  "utf-8-sig": "utf-8",
  "iso-8859-1": "windows-1252",
  "iso-8859-9": "windows-1254",
  "tis-620": "windows-874",
  gb2312: "gb18030",
  cp932: "shift_jis",
  cp949: "euc-kr",
};

/** Encodings that the requirement does not list. Haft did not support them before it either. */
const OUT_OF_SCOPE = new Set(["euc-tw", "ibm855", "johab", "macroman", "iso-2022-jp", "iso-2022-kr"]);

/** Follows charset_normalizer's own tests; its other files are UTF-8. */
const NORMALIZER = {
  "sample-arabic-1.txt": "windows-1256",
  "sample-french-1.txt": "windows-1252",
  "sample-chinese.txt": "big5",
  "sample-greek.txt": "windows-1253",
  "sample-greek-2.txt": "windows-1253",
  "sample-hebrew-2.txt": "windows-1255",
  "sample-hebrew-3.txt": "windows-1255",
  "sample-korean.txt": "euc-kr",
  "sample-turkish.txt": "windows-1254",
  "sample-russian.txt": "maccyrillic",
};
