import type { ToolError } from "../error/tool-error.js";
import { token } from "../service/token.js";

/**
 * The host's configuration for a URL, evaluated before name resolution. It is a service without authority: it tells a
 * tool what to propose, and the NetworkClient enforces the same rules.
 */
export interface UrlPolicy {
  judge(url: string): UrlJudgement;
}

export interface UrlJudgement {
  /** A user can approve "unlisted"; only configuration can lift "refused". */
  readonly verdict: "listed" | "unlisted" | "refused";
  /** A clause for users: "because …". */
  readonly because: string;
  /** The error for a request to a refused URL. */
  readonly refusal?: ToolError | undefined;
}

export const URL_POLICY = token<UrlPolicy>("url-policy", () => LISTS_NOTHING);

const LISTS_NOTHING: UrlPolicy = {
  judge: () => ({ verdict: "unlisted", because: "this runtime lists no addresses" }),
};
