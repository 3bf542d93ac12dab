import { credentialDirectories, credentialFiles, isCredentialPath } from "@pawl/core/tool"

/** Single names: a file or directory that is called so, and all below it. */
const NAMES = new Set([
  ".git",
  ".githooks",
  ".husky",
  ".lefthook",
  ".lefthook-local",
  ".pre-commit-config.yaml",
  ".lefthook.toml",
  ".lefthook.json",
  ".lefthook.yml",
  ".lefthook.yaml",
  ".lefthook-local.yml",
  ".lefthook-local.yaml",
  "lefthook.toml",
  "lefthook.json",
  "lefthook.yml",
  "lefthook.yaml",
  "lefthook-local.yml",
  "lefthook-local.yaml",
  "prek.toml",
  ".overcommit.yml",
  ".simple-git-hooks.json",
  ".simple-git-hooks.js",
  ".simple-git-hooks.cjs",
  "simple-git-hooks.json",
  ".pawl",
  "pawl.json",
  "pawl.jsonc",
  ".opencode",
  "opencode.json",
  "opencode.jsonc",
  ".agents",
  ".claude",
  ".claude.json",
  ".mcp.json",
  ".envrc",
  ".mise.toml",
  "mise.toml",
  "mise.local.toml",
  ".devcontainer",
  ".devcontainer.json",
  ".gitmodules",
  ".exrc",
  ".nvim.lua",
  ".vimrc",
  ".nvimrc",
  ".dir-locals.el",
  ".gdbinit",
  ".lldbinit",
  ".gitconfig",
  ".ssh",
  ".bash_aliases",
  ".bash_login",
  ".bash_logout",
  ".bash_profile",
  ".bashrc",
  "bash.bashrc",
  ".cshrc",
  ".inputrc",
  ".kshrc",
  ".login",
  ".logout",
  ".mkshrc",
  ".pam_environment",
  ".profile",
  ".tcshrc",
  ".xinitrc",
  ".xprofile",
  ".xsession",
  ".xsessionrc",
  ".zlogin",
  ".zlogout",
  ".zprofile",
  ".zshenv",
  ".zshrc",
])

/** Names that only count below another one. */
const BELOW: Readonly<Record<string, ReadonlySet<string>>> = {
  ".vscode": new Set(["launch.json", "mcp.json", "settings.json", "tasks.json"]),
  ".cursor": new Set(["hooks.json", "mcp.json"]),
  ".idea": new Set(["runconfigurations", "workspace.xml", "externaldependencies.xml"]),
  ".zed": new Set(["debug.json", "settings.json", "tasks.json"]),
  ".fleet": new Set(["run.json", "settings.json"]),
  ".config": new Set([
    "environment.d",
    "fish",
    "git",
    "opencode",
    "pawl",
    "lefthook.yml",
    "lefthook.yaml",
    "mise.toml",
  ]),
  share: new Set(["pawl"]),
  state: new Set(["pawl"]),
  etc: new Set(["environment", "profile", "profile.d", "zsh"]),
}

/**
 * Does writing there need `protected_file`, by its name? For a path relative to the worktree, or an absolute one outside
 * of it, with `/`. Names are compared as the most lenient file system would, so that none slips by on a disk that takes
 * `.GIT` or `.git.` for `.git`. Only the path itself counts: give the target of a link as well.
 */
export function isProtected(path: string): boolean {
  const names = path.split(/[/\\]/).map(folded)
  return (
    names.some((name, index) => NAMES.has(name) || (BELOW[names[index - 1] ?? ""]?.has(name) ?? false)) ||
    isCredentialPath(names.filter((name) => name !== "").join("/"))
  )
}

/** Names that only count below others, all from the first one on. */
const PATHS: readonly (readonly string[])[] = [
  ...Object.entries(BELOW).flatMap(([name, names]) => Array.from(names, (each) => [name, each])),
  ...[...credentialFiles, ...credentialDirectories].map((file) => file.split("/")),
]

/** A name of a path that is not known exactly. */
export interface NameTest {
  /** Returns whether it may be this name, which is in lower case. */
  readonly fits: (name: string) => boolean
  /** Nothing is known of it. */
  readonly isAny: boolean
}

/**
 * Returns whether a path of such names may be protected. A name of which nothing is known is that of a file elsewhere, which is
 * judged there: it counts only below other names. With `isWhole` all names do.
 */
export function mayBeProtected(tests: readonly NameTest[], isWhole: boolean): boolean {
  const singles = isWhole ? [] : Array.from(NAMES, (name) => [name])
  const paths = [...singles, ...PATHS.filter(({ length }) => !isWhole || length > 1)]
  const fits = (path: readonly string[], at: number) =>
    path.every((name, index) => tests[at + index]?.fits(name) === true) &&
    (path.length > 1 || tests[at]?.isAny !== true)
  return tests.some((_, at) => paths.some((path) => fits(path, at)))
}

/**
 * Without case, composition, characters that are not seen, and what Windows drops from the end of a name; with the long
 * form of the short name that Windows gives `.git`. Most names are so already, and judged often.
 */
function folded(name: string): string {
  if (/^[a-z0-9_-]*(?:[.][a-z0-9_-]+)*$/.test(name)) return name
  const plain = name
    .replace(/:.*$/s, "")
    .normalize("NFKC")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toUpperCase()
    .toLowerCase()
    .replace(/[. ]+$/, "")
  return /^git~\d$/.test(plain) ? ".git" : plain
}
