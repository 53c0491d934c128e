import { estimateTokens } from "@haft/text";

export type PromptFlavour = "markdown" | "xml";

/**
 * "full": categories, parameters and examples, for models without native tool calling. "compact": when to use which
 * tool, for models that receive the parameters as schemas.
 */
export type PromptStyle = "full" | "compact";

export interface PromptEnvironment {
  readonly folder?: string;
  readonly system?: string;
  readonly date?: string;
  readonly branch?: string;
}

/** A file such as AGENTS.md with instructions for agents. */
export interface ProjectInstructions {
  readonly path: string;
  readonly text: string;
  /** False in an untrusted workspace. Default: true. */
  readonly trusted?: boolean;
}

/** A folder with instructions for one kind of task, read on demand. */
export interface ProjectSkill {
  readonly name: string;
  readonly description: string;
  /** The path of its SKILL.md. */
  readonly path: string;
  /** False in an untrusted workspace. Default: true. */
  readonly trusted?: boolean;
}

export interface PromptOptions {
  /** Default: full. */
  readonly style?: PromptStyle;
  /** Mentioned in the opening of the compact style. */
  readonly environment?: PromptEnvironment;
  /** Added at the end in the compact style. */
  readonly instructions?: readonly ProjectInstructions[];
  /** Listed by name, in the compact style. */
  readonly skills?: readonly ProjectSkill[];
  /** The markup. Default: markdown. */
  readonly flavour?: PromptFlavour;
  /** Inserted before the tools, unchanged. */
  readonly introduction?: string;
  /** Whether calls support `terminate`. Set to false for loops without it. Default: true. */
  readonly terminate?: boolean;
}

export interface PromptStats {
  readonly characters: number;
  /** An estimate: four characters per token, one per CJK character. */
  readonly tokens: number;
}

export function promptStats(prompt: string): PromptStats {
  return { characters: prompt.length, tokens: estimateTokens(prompt) };
}
