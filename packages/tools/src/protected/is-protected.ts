import { credentialDirectories, credentialFiles, isCredentialPath } from "@pawl/core/tool"

/** Names that protect a file or directory and everything below it. */
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

/** Names that count only directly below the given directory name. */
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
 * Returns true if writing to the path needs `protected_file`. The path is relative to the worktree, or absolute if
 * outside of it, and uses `/`. Compares names as the most lenient file system does, because some disks treat `.GIT` or
 * `.git.` as `.git`. Does not follow links: check the target of a link as well.
 */
export function isProtected(path: string): boolean {
  const names = path.split(/[/\\]/).map(folded)
  return (
    names.some((name, index) => NAMES.has(name) || (BELOW[names[index - 1] ?? ""]?.has(name) ?? false)) ||
    isCredentialPath(names.filter((name) => name !== "").join("/"))
  )
}

/** Consecutive names that count only together. */
const PATHS: readonly (readonly string[])[] = [
  ...Object.entries(BELOW).flatMap(([name, names]) => Array.from(names, (each) => [name, each])),
  ...[...credentialFiles, ...credentialDirectories].map((file) => file.split("/")),
]

/** Describes one name of a path that is not known exactly. */
export interface NameTest {
  /** Takes a name in lower case. Returns true if this name may be equal to it. */
  readonly fits: (name: string) => boolean
  /** Set if nothing is known about the name. */
  readonly isAny: boolean
}

/**
 * Returns true if a path of such names may be protected. An unknown name alone does not count, because its file is
 * checked elsewhere; it counts below other names. `isWhole` leaves out protected names that stand alone.
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
 * Normalizes a name: ignores case, composition, invisible characters and what Windows drops at the end of a name, and
 * expands the short name that Windows gives `.git`. Most names need no change and are checked often, hence the fast
 * path.
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
