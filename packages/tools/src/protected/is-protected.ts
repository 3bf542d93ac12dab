/** Single names: a file or directory that is called so, and all below it. */
const NAMES = new Set([
  ".git",
  ".githooks",
  ".husky",
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
  ".vscode": new Set(["launch.json", "settings.json", "tasks.json"]),
  ".config": new Set(["environment.d", "fish", "git", "opencode", "pawl"]),
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
  return names.some((name, index) => NAMES.has(name) || (BELOW[names[index - 1] ?? ""]?.has(name) ?? false))
}

/**
 * Without case, composition, characters that are not seen, and what Windows drops from the end of a name; with the long
 * form of the short name that Windows gives `.git`.
 */
function folded(name: string): string {
  const plain = name
    .replace(/:.*$/s, "")
    .normalize("NFKC")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toUpperCase()
    .toLowerCase()
    .replace(/[. ]+$/, "")
  return /^git~\d$/.test(plain) ? ".git" : plain
}
