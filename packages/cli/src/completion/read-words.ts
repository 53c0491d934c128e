import type { Command, Option } from "commander";

/** A command line up to the word that is being typed. */
export interface TypedLine {
  readonly command: Command;
  /** The command's full name, such as "runs show". */
  readonly path: string;
  /** The number of arguments before the word. */
  readonly positionals: number;
  /** Whether the word must be an argument. */
  readonly isPositional: boolean;
  /** The option whose value is being typed. */
  readonly option: Option | undefined;
  /** Options before the word and their values. */
  readonly given: ReadonlyMap<string, string>;
  /** The part of the value already typed. */
  readonly typed: string;
  /** The prefix a shell expects before each value. */
  readonly prefix: string;
}

/** Determines which command, option or argument the last word belongs to. */
export function readWords(words: readonly string[], program: Command): TypedLine {
  const last = words.at(-1) ?? "";
  const line = new ReadLine(program);
  for (const word of words.slice(0, -1)) line.take(word);
  return line.at(last);
}

class ReadLine {
  #command: Command;
  #path = "";
  #positionals = 0;
  #isPositional = false;
  #option: Option | undefined;
  readonly #given = new Map<string, string>();

  constructor(program: Command) {
    this.#command = program;
  }

  take(word: string): void {
    // Bash splits `--name=value` into three words.
    if (word === "=" && this.#option !== undefined) return;
    if (this.#option !== undefined && !word.startsWith("-")) this.#giveValue(word);
    else if (word === "--") this.#isPositional = true;
    else if (word.startsWith("-") && !this.#isPositional) this.#takeOption(word);
    else this.#takeName(word);
  }

  at(word: string): TypedLine {
    const { 1: name, 2: value = "" } = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
    if (name !== undefined) this.take(name);
    const isSign = word === "=" && this.#option !== undefined;
    const isOption = name === undefined && word.startsWith("-") && !this.#isPositional;
    return {
      command: this.#command,
      path: this.#path,
      positionals: this.#positionals,
      isPositional: this.#isPositional || this.#positionals > 0,
      option: isOption ? undefined : this.#option,
      given: this.#given,
      typed: isSign ? "" : name === undefined ? word : value,
      prefix: name === undefined ? "" : `${name}=`,
    };
  }

  #giveValue(value: string): void {
    this.#given.set(this.#option?.long ?? "", value);
    this.#option = undefined;
  }

  #takeOption(word: string): void {
    const { 1: name = word, 2: value } = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
    const option = this.#find(name);
    this.#option = undefined;
    this.#given.set(name, value ?? "");
    if (option !== undefined && value === undefined && (option.required || option.optional))
      this.#option = option;
  }

  /** A command's options may follow the names of its subcommands. */
  #find(name: string): Option | undefined {
    for (let command: Command | null = this.#command; command !== null; command = command.parent) {
      const found = command.options.find(({ long, short }) => long === name || short === name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #takeName(word: string): void {
    const below = this.#command.commands.find((one) => one.name() === word);
    if (below === undefined || this.#positionals > 0) {
      this.#positionals += 1;
      return;
    }
    this.#command = below;
    this.#path = `${this.#path} ${word}`.trim();
  }
}
