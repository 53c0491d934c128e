import type { ApprovalPolicy, Opinion, PolicyRequest } from "../approval/approval.js";
import { consult } from "../approval/consult-policy.js";
import type { CodeSandbox, SandboxNetwork } from "../capability/code-sandbox.js";
import type { NetworkClient } from "../capability/network-client.js";
import { ToolError } from "../error/tool-error.js";
import { factsOf } from "./call-facts.js";
import { refuse } from "./judge-call.js";
import type { CallInProgress, Kernel } from "./kernel.js";

/** Checks every URL that a call accesses and that has not been checked yet: redirects, and URLs no argument names. */
export function guardAddresses(kernel: Kernel, call: CallInProgress, network: NetworkClient): NetworkClient {
  const { addressPolicy } = kernel;
  if (addressPolicy === undefined) return network;
  return {
    async fetch(request, signal) {
      const guard = new AddressGuard(kernel, call, addressPolicy);
      await guard.admit(request.url);
      const admitRedirect = async (url: string) => {
        await request.admitRedirect?.(url);
        await guard.admit(url);
      };
      const response = await network.fetch({ ...request, admitRedirect }, signal);
      // Catches a client that follows redirects on its own, before its response is used.
      await guard.admit(response.url);
      return response;
    },
  };
}

/** Checks every address that sandboxed code connects to. */
export function guardBoxAddresses(kernel: Kernel, call: CallInProgress, sandbox: CodeSandbox): CodeSandbox {
  const { addressPolicy } = kernel;
  if (addressPolicy === undefined) return sandbox;
  const guard = new AddressGuard(kernel, call, addressPolicy);
  const admit: SandboxNetwork["admit"] = (url, { isTunnel }) =>
    guard.admit(isTunnel ? `${url}${ANY_PATH}` : url);
  return {
    get tier() {
      return sandbox.tier;
    },
    run: ({ network, ...request }, signal) =>
      sandbox.run({ ...request, ...(network !== undefined && { network: { ...network, admit } }) }, signal),
  };
}

/** An ambiguous path, so that it matches every rule that restricts its host. */
const ANY_PATH = "%2f";

class AddressGuard {
  readonly #kernel: Kernel;
  readonly #call: CallInProgress;
  readonly #policy: ApprovalPolicy;
  readonly #admitted = new Set<string>();
  readonly #judged: string | undefined;

  constructor(kernel: Kernel, call: CallInProgress, policy: ApprovalPolicy) {
    this.#kernel = kernel;
    this.#call = call;
    this.#policy = policy;
    this.#judged = kernel.inspections.get(call.args)?.url;
    if (this.#judged !== undefined) this.#admitted.add(addressOf(this.#judged));
  }

  async admit(url: string): Promise<void> {
    const address = addressOf(url);
    if (this.#admitted.has(address)) return;
    const facts = { ...(await factsOf(this.#kernel, this.#call)), url: address };
    const opinion = await this.#opinionOn(facts);
    if (opinion?.effect === "deny") await this.#refuse(facts, opinion);
    if (opinion?.effect === "ask" && !(await this.#wasAskedAlready(facts, opinion)))
      throw this.#mustBeAsked(address, opinion);
    this.#admitted.add(address);
  }

  async #opinionOn(facts: PolicyRequest): Promise<Opinion | undefined> {
    const opinion = consult(this.#policy, facts);
    return opinion instanceof Promise ? this.#call.deadline.within(() => opinion) : opinion;
  }

  /** Approving the call already answered the same rule for the same host. */
  async #wasAskedAlready(facts: PolicyRequest, { by }: Opinion): Promise<boolean> {
    if (this.#judged === undefined || hostOf(this.#judged) !== hostOf(facts.url)) return false;
    const first = await this.#opinionOn({ ...facts, url: this.#judged });
    return first?.effect === "ask" && first.by === by;
  }

  #refuse(facts: PolicyRequest, opinion: Opinion): Promise<never> {
    const because = `${this.#reaches()} ${facts.url}, and ${opinion.because}`;
    return refuse(this.#kernel, this.#call, { facts, opinion: { ...opinion, because } });
  }

  #mustBeAsked(url: string, { because }: Opinion): ToolError {
    const { tool, args, registered } = this.#call;
    const name = Object.keys(args).find((key) => args[key] === this.#judged && this.#judged !== undefined);
    const next = name === undefined ? undefined : { tool: registered.definition.name, args: { [name]: url } };
    return new ToolError(
      "APPROVAL_REQUIRED",
      `${tool} stopped: ${this.#reaches()} ${url}, which needs approval: ${because}`,
      {
        hint: "That address was not requested. Call the tool with it, so that the user can be asked.",
        ...(next && { next }),
      },
    );
  }

  #reaches(): string {
    return this.#judged === undefined ? "it reaches" : "it is redirected to";
  }
}

function addressOf(url: string): string {
  const text = url.trim();
  return URL.canParse(text) ? new URL(text).href : text;
}

function hostOf(url = ""): string {
  const text = url.trim();
  return URL.canParse(text) ? new URL(text).hostname : text;
}
