import { posix } from "node:path";

export const REPOSITORY = "https://github.com/haft-tools/haft";

/** Points links that leave docs/ (source files, folders) to the repository: the site has no page for them. */
export function repositoryLink(tokens, relativePath) {
  for (const token of tokens) {
    for (const link of token.children ?? []) {
      const href = link.type === "link_open" ? link.attrGet("href") : null;
      if (href === null || /^([a-z]+:|[/#])/.test(href)) continue;
      const target = posix.join("docs", posix.dirname(relativePath), href);
      if (isPage(target)) continue;
      const kind = /\.\w+(#|$)/.test(target) ? "blob" : "tree";
      link.attrSet("href", `${REPOSITORY}/${kind}/main/${target}`);
    }
  }
}

function isPage(target) {
  return target.startsWith("docs/") && /\.(md|svg)(#|$)|\.html(#|$)/.test(target);
}
