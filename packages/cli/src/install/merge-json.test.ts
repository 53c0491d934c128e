import { describe, expect, it } from "vitest";
import { mergeJson } from "./merge-json.js";

const set = (text: string) => mergeJson(text, { path: ["servers", "haft"], value: { command: "npx" } });

describe("an entry in an editor's settings", () => {
  it("keeps comments, trailing commas and the indentation", () => {
    const text = `// mine
{
    "tab": 4, /* four */
    "servers": {
        // local
        "other": { "args": ["a // b"], }, // last
    },
}
`;
    expect(set(text)).toBe(`// mine
{
    "tab": 4, /* four */
    "servers": {
        // local
        "other": { "args": ["a // b"], }, // last
        "haft": {
            "command": "npx"
        }
    },
}
`);
  });

  it.each([
    ["", '{\n  "servers": {\n    "haft": {\n      "command": "npx"\n    }\n  }\n}\n'],
    ["{}", '{\n  "servers": {\n    "haft": {\n      "command": "npx"\n    }\n  }\n}\n'],
    ["{ // none\n}\n", '{\n  "servers": {\n    "haft": {\n      "command": "npx"\n    }\n  } // none\n}\n'],
    ['{"a":1}', '{\n  "a": 1,\n  "servers": {\n    "haft": {\n      "command": "npx"\n    }\n  }\n}\n'],
    [
      '\ufeff{\r\n\t"servers": {},\r\n\t"a": []\r\n}\r\n',
      '\ufeff{\r\n\t"servers": {\r\n\t\t"haft": {\r\n\t\t\t"command": "npx"\r\n\t\t}\r\n\t},\r\n\t"a": []\r\n}\r\n',
    ],
    [
      '{\n  "servers": {\n    "haft": { "command": "old" } // mine\n  }\n}\n',
      '{\n  "servers": {\n    "haft": {\n      "command": "npx"\n    } // mine\n  }\n}\n',
    ],
    [
      '{\n  "servers": { "other": {} }\n}\n',
      '{\n  "servers": { "other": {}, "haft": {"command":"npx"} }\n}\n',
    ],
  ])("%j", (text, merged) => {
    expect(set(text)).toBe(merged);
  });

  it.each([
    '{"a": [}',
    "[]",
    "null",
    '{"servers": []}',
    '{"a" 1}',
    '{"a": 1 "b": 2}',
    "{} {}",
    "{'a': 1}",
    "[",
  ])("does not change %j", (text) => {
    expect(set(text)).toBeUndefined();
  });
});
