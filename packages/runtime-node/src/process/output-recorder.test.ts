import { describe, expect, it, vi } from "vitest";
import { createRedactor } from "../secrets/redactor.js";
import { OutputRecorder } from "./output-recorder.js";

const TOKEN = "tok_AbC123-xyz-0123456789";
const redact = createRedactor([{ name: "T", value: TOKEN }]);

function recorded() {
  const heard: string[] = [];
  const recorder = new OutputRecorder({
    redact,
    onOutput: (text, stream) => heard.push(stream === "stderr" ? `!${text}` : text),
  });
  return { recorder, heard };
}

describe("progress while a command runs", () => {
  it("S4.005 P9 redacts a secret split across two chunks", () => {
    const { recorder, heard } = recorded();
    const bytes = Buffer.from(`${"x".repeat(65_530)} ${TOKEN} end\n`);
    recorder.push(bytes.subarray(0, 65_536), "stdout");
    recorder.push(bytes.subarray(65_536), "stdout");
    recorder.close();
    expect(heard.join("")).toBe(`${"x".repeat(65_530)} [secret:T] end\n`);
  });

  it("shows a question that waits for an answer, and each stream's last line when it ends", async () => {
    const { recorder, heard } = recorded();
    recorder.push(Buffer.from("Continue? [y/N] "), "stdout");
    expect(heard).toEqual([]);
    await vi.waitFor(() => expect(heard).toEqual(["Continue? [y/N] "]), { timeout: 10_000 });
    recorder.push(Buffer.from("yes"), "stdout");
    recorder.push(Buffer.from("no end"), "stderr");
    recorder.close();
    expect(heard).toEqual(["Continue? [y/N] ", "yes", "!no end"]);
  });

  it("is reported as it arrives if nothing is secret", () => {
    const heard: string[] = [];
    const recorder = new OutputRecorder({ onOutput: (text) => heard.push(text) });
    recorder.push(Buffer.from("no "), "stdout");
    recorder.push(Buffer.from([0xc3]), "stdout");
    recorder.push(Buffer.from([0xbc]), "stdout");
    recorder.close();
    expect(heard).toEqual(["no ", "ü"]);
  });
});
