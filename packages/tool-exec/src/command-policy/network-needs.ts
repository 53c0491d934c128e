import { wordList } from "./word-list.js";

/** The network access that a program needs. */
export interface NetworkNeed {
  /** Host names, some of which may not be allowed. */
  readonly hosts: readonly string[];
  /** Needs the npm registry that the user configured. */
  readonly registry: boolean;
  /** Needs the remotes of the repository. */
  readonly remotes: boolean;
  /** Installs only what the project already names, which needs no approval. */
  readonly isInstallation: boolean;
}

/** What a command may reach beyond the configured hosts. */
export interface NetworkGrant {
  readonly hosts: readonly string[];
  readonly registry: boolean;
}

/** Returns the network needs of a command from its program table, or undefined. */
export function networkNeedOf(argv: readonly (string | null)[]): NetworkNeed | undefined {
  const words = argv.map((word) => word ?? "…");
  const name = words[0]?.slice(words[0].lastIndexOf("/") + 1) ?? "";
  const program = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
  return program?.(words.slice(1));
}

/** Returns the hosts of web addresses among some words. Addresses of the box itself need no network. */
export function hostsIn(words: readonly string[]): readonly string[] {
  const found = words.flatMap((word) => {
    const [, text] = /(?:^|[=\s])(?:git\+)?(https?:\/\/[^\s'"]+)/i.exec(word) ?? [];
    return text !== undefined && URL.canParse(text) ? [new URL(text).hostname] : [];
  });
  return [...new Set(found)].filter((host) => !/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host));
}

type NeedOf = (args: readonly string[]) => NetworkNeed | undefined;

const NOTHING: NetworkNeed = { hosts: [], registry: false, remotes: false, isInstallation: false };

/** Describes subcommands that reach a service, and its hosts. */
function reaching(subcommands: string, hosts: string): NeedOf {
  const names = new Set(subcommands.split(" "));
  return (args) => {
    const [first = "", second = ""] = args.filter((arg) => !arg.startsWith("-"));
    const isReaching = names.has(first) || (first === "mod" && names.has(second));
    return isReaching ? { ...NOTHING, hosts: [...hosts.split(" "), ...hostsIn(args)] } : undefined;
  };
}

/** Programs that fetch the addresses in their arguments. */
const fetching: NeedOf = (args) => {
  const bare = args
    .filter((arg) => /^[\w-]+(?:\.[\w-]+)+(?:[/:].*)?$/.test(arg))
    .map((arg) => `https://${arg}`);
  const hosts = hostsIn([...args, ...bare]);
  return hosts.length === 0 ? undefined : { ...NOTHING, hosts };
};

const npm: NeedOf = (args) => {
  const [subcommand = "", ...rest] = args.filter((arg) => !arg.startsWith("-"));
  if (args.includes("--offline")) return undefined;
  const isInstallation = INSTALLING.has(subcommand) && rest.length === 0 && !args.some(changesRegistry);
  if (!isInstallation && !FETCHING.has(subcommand)) return undefined;
  return { ...NOTHING, registry: true, isInstallation, hosts: [...hostsIn(args), ...hostedIn(rest)] };
};

const INSTALLING: ReadonlySet<string> = new Set(["install", "i", "ci", "clean-install"]);
const FETCHING: ReadonlySet<string> = new Set(
  wordList(
    "install i ci clean-install add update up upgrade outdated view info show v audit exec x dlx create init search",
    "dedupe pack publish ping whoami dist-tag fund import fetch install-test it install-ci-test cit",
  ),
);

function changesRegistry(arg: string): boolean {
  return /^--(?:registry|prefix|userconfig|globalconfig|proxy|https-proxy)\b|^-[gC]|^--global/.test(arg);
}

/** Recognizes `user/name` and similar forms as a repository at a service. */
function hostedIn(operands: readonly string[]): readonly string[] {
  const isGitHub = (name: string) => /^(?:github:)?[\w.-]+\/[\w.-]+(?:#.*)?$/.test(name);
  return operands.some(isGitHub) ? ["github.com", "codeload.github.com"] : [];
}

/** Runs what is installed, and fetches only on request. */
const npx: NeedOf = (args) => {
  const at = args.findIndex((arg) => !arg.startsWith("-"));
  const isFetching = args.slice(0, at).some((arg) => /^(?:-y|--yes|-p|--package)/.test(arg));
  return isFetching || /.@/.test(args[at] ?? "")
    ? { ...NOTHING, registry: true, hosts: hostsIn(args) }
    : undefined;
};

const git: NeedOf = (args) => {
  const [subcommand = "", second = ""] = args.filter((arg) => !arg.startsWith("-"));
  const isReaching = REMOTE.has(subcommand) || REMOTE.has(`${subcommand} ${second}`);
  return isReaching ? { ...NOTHING, remotes: true, hosts: hostsIn(args) } : undefined;
};

const REMOTE: ReadonlySet<string> = new Set([
  ...["fetch", "pull", "push", "clone", "ls-remote", "remote update", "remote show", "submodule update"],
  ...["submodule add", "lfs pull", "lfs fetch", "lfs push"],
]);

const pip = reaching("install download wheel index search", "pypi.org files.pythonhosted.org");
const uv = reaching("sync lock add pip run tool", "pypi.org files.pythonhosted.org");
const poetry = reaching("install update add lock", "pypi.org files.pythonhosted.org");
const bundle = reaching("install update add", "rubygems.org index.rubygems.org");

const python: NeedOf = (args) => (args[0] === "-m" && args[1] === "pip" ? pip(args.slice(2)) : undefined);

const PROGRAMS: Readonly<Record<string, NeedOf>> = {
  ...{ npm, pnpm: npm, yarn: npm, bun: npm, npx, pnpx: npx, bunx: npx, git },
  ...{ curl: fetching, wget: fetching, http: fetching, https: fetching, aria2c: fetching },
  ...{ pip, pip3: pip, pipx: pip, uv, poetry, python, python3: python, bundle, gem: bundle },
  cargo: reaching(
    "fetch update install add search publish generate-lockfile vendor",
    "index.crates.io static.crates.io crates.io",
  ),
  go: reaching("get install download tidy", "proxy.golang.org sum.golang.org"),
  composer: reaching("install update require", "repo.packagist.org packagist.org"),
  dotnet: reaching("restore add", "api.nuget.org"),
};
