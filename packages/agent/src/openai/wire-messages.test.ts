import { describe, expect, it } from "vitest";
import { wireMessages } from "./wire-messages.js";

describe("wireMessages", () => {
  it("sends the images of a user's message after its text", () => {
    const images = [{ type: "image" as const, mimeType: "image/png", data: "AAAA" }];
    expect(wireMessages([{ role: "user", text: "Look.", images }])).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "Look." },
          { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
        ],
      },
    ]);
  });

  it("sends the signature of a call back only to the server that signed it", () => {
    const signature = { by: "gemini.example", value: "c2ln" };
    const call = { id: "1", name: "look", args: "{}", signature };
    const message = { role: "assistant" as const, text: "", calls: [call] };
    expect(JSON.stringify(wireMessages([message], "gemini.example"))).toContain(
      '"extra_content":{"google":{"thought_signature":"c2ln"}}',
    );
    expect(JSON.stringify(wireMessages([message], "openai.example"))).not.toContain("c2ln");
  });
});
