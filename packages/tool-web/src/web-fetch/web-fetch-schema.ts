import { type Parsed, s } from "@haft/core";

export const webFetchInput = s.object({
  url: s.string("The whole address, http or https", { minLength: 1, maxLength: 8192 }),
  method: s.enum("How it is asked", ["GET", "POST"], { default: "GET" }),
  headers: s.optional(
    s.record(
      "Headers to send; not those that say where a message goes or ends",
      s.string("The value", { maxLength: 8192 }),
    ),
  ),
  body: s.optional(s.string("What is posted, with method POST", { maxLength: 1_000_000 })),
  timeout: s.number("Seconds before it is given up", { default: 30, minimum: 1, maximum: 120 }),
  format: s.enum(
    "markdown: HTML as markdown, JSON indented. text: without any markup. html: source without scripts. raw: as it was sent",
    ["markdown", "text", "html", "raw"],
    { default: "markdown" },
  ),
  max_chars: s.integer("Characters per call", { default: 40_000, minimum: 1, maximum: 40_000 }),
  offset: s.integer("The character to start at, to read on in a long text", { default: 0, minimum: 0 }),
});

export const webFetchOutput = s.object({
  status: s.integer("The HTTP status"),
  headers: s.record("The headers of the answer, names in lower case", s.string("The value")),
  body: s.string("The text, or a line about what cannot be shown as text"),
  url: s.string("The address that answered, after redirects"),
  truncated: s.boolean("There is more than this"),
  kind: s.enum("What the body is", ["html", "json", "text", "image", "binary"]),
  contentType: s.string("As the server says"),
  size: s.integer("Bytes of the body, unpacked"),
  totalChars: s.integer("Characters of the whole text"),
  nextOffset: s.optional(s.integer("The offset that shows what follows")),
  title: s.optional(s.string("The title of an HTML page")),
  encoding: s.optional(s.string("How the text was encoded")),
  attached: s.optional(s.boolean("Whether the image goes to the model")),
});

export type WebFetchArgs = Parsed<typeof webFetchInput>;
export type WebFetchResult = Parsed<typeof webFetchOutput>;
