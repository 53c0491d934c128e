/** Result content for the model, besides the structured value. */
export type Content = TextContent | ImageContent;

export interface TextContent {
  readonly type: "text";
  readonly text: string;
}

export interface ImageContent {
  readonly type: "image";
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
}
