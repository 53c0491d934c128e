import { type Parsed, s } from "@haft/core";

export const webFetchInput = s.object({
  url: s.string("Full http or https URL", { minLength: 1, maxLength: 8192 }),
  method: s.enum("Request method", ["GET", "POST"], { default: "GET" }),
  headers: s.optional(
    s.record(
      "Request headers, except those that control routing or message length",
      s.string("The value", { maxLength: 8192 }),
    ),
  ),
  body: s.optional(s.string("Request body for POST", { maxLength: 1_000_000 })),
  timeout: s.number("Timeout in seconds", { default: 30, minimum: 1, maximum: 120 }),
  format: s.enum(
    "markdown: HTML as markdown, JSON indented. text: without any markup. html: source without scripts. raw: unchanged",
    ["markdown", "text", "html", "raw"],
    { default: "markdown" },
  ),
  encoding: s.optional(
    s.string("Read the body in this encoding, such as windows-1251, whatever it declares", {
      minLength: 1,
      maxLength: 40,
    }),
  ),
  max_chars: s.integer("Characters per call", { default: 40_000, minimum: 1, maximum: 40_000 }),
  offset: s.integer("Character to start at, for long texts", { default: 0, minimum: 0 }),
});

export const webFetchOutput = s.object({
  status: s.integer("The HTTP status"),
  headers: s.record("Response headers, names in lower case", s.string("The value")),
  body: s.string("The text, or a line describing content that is not text"),
  url: s.string("Final URL after redirects"),
  truncated: s.boolean("Whether there is more"),
  kind: s.enum("Kind of content", ["html", "json", "text", "image", "binary"]),
  contentType: s.string("Content type from the server"),
  size: s.integer("Bytes of the body, unpacked"),
  totalChars: s.integer("Characters of the whole text"),
  nextOffset: s.optional(s.integer("Offset of the next page")),
  title: s.optional(s.string("The title of an HTML page")),
  encoding: s.optional(s.string("How the text was encoded")),
  encodingGuessed: s.optional(
    s.boolean("True when no byte order mark, declared charset or valid UTF-8 settles the encoding"),
  ),
  encodingDoubt: s.optional(s.string("Why the encoding is a guess")),
  attached: s.optional(s.boolean("Whether the image goes to the model")),
});

export type WebFetchArgs = Parsed<typeof webFetchInput>;
export type WebFetchResult = Parsed<typeof webFetchOutput>;
