import { token } from "../service/token.js";

/**
 * What a host's configuration says about an address, before anything is resolved. It is a service, so it
 * carries no authority: it tells a tool what to propose, and the NetworkClient enforces the same.
 */
export interface UrlPolicy {
  judge(url: string): UrlJudgement;
}

export interface UrlJudgement {
  /** "unlisted" may be approved by a person; "refused" can be lifted by configuration only. */
  readonly verdict: "listed" | "unlisted" | "refused";
  /** A clause for people: "because …". */
  readonly because: string;
}

export const URL_POLICY = token<UrlPolicy>("url-policy", () => LISTS_NOTHING);

const LISTS_NOTHING: UrlPolicy = {
  judge: () => ({ verdict: "unlisted", because: "this runtime lists no addresses" }),
};
