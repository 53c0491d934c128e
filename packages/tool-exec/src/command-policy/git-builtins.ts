import { wordList } from "./word-list.js";

/**
 * Subcommands that git always runs itself, so that no alias can replace them. Lists only commands that git has long had and
 * never ships separately, because any other word may be an alias where the command is missing.
 */
export const gitBuiltins: ReadonlySet<string> = new Set(
  wordList(
    "add am annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore check-mailmap",
    "check-ref-format checkout checkout-index cherry cherry-pick clean clone column commit commit-graph commit-tree",
    "config count-objects credential credential-cache credential-store describe diff diff-files diff-index diff-tree",
    "difftool fast-export fast-import fetch fetch-pack filter-branch fmt-merge-msg for-each-ref format-patch fsck gc",
    "get-tar-commit-id grep hash-object help index-pack init init-db interpret-trailers log ls-files ls-remote ls-tree",
    "mailinfo mailsplit maintenance merge merge-base merge-file merge-index merge-tree mergetool mktag mktree",
    "multi-pack-index mv name-rev notes pack-objects pack-refs patch-id prune prune-packed pull push range-diff",
    "read-tree rebase receive-pack reflog remote repack replace request-pull rerere reset restore rev-list rev-parse",
    "revert rm send-pack shortlog show show-branch show-index show-ref sparse-checkout stage stash status stripspace",
    "submodule switch symbolic-ref tag unpack-file unpack-objects update-index update-ref update-server-info",
    "upload-archive upload-pack var verify-commit verify-pack verify-tag version whatchanged worktree write-tree",
  ),
);
