import { describe, expect, it } from "vitest";
import { trustView } from "./trust-view.js";

describe("FU5 the question about a configuration", () => {
  it("counts the lines that it shows, not the line break at the end", () => {
    const files = [{ path: "/w/haft.config.js", text: "export default {};\n", sha256: "" }];
    const snapshot = { file: "/w/haft.config.js", files, digest: "0123456789abcdef" };
    const { content, verdict } = trustView({ snapshot, isCode: true, ignored: [], decision: undefined }, 80);
    expect(content).toEqual(["haft.config.js:", "│ export default {};"]);
    expect(verdict).toContain("1 file, 1 line, sha256 0123456789ab");
  });

  it("names the file as it is", () => {
    const snapshot = { file: "/w/1 lines/haft.config.json", files: [], digest: "0123456789abcdef" };
    const { verdict } = trustView({ snapshot, isCode: false, ignored: [], decision: undefined }, 80);
    expect(verdict[0]).toBe("Trust /w/1 lines/haft.config.json?");
  });
});
