import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from "node:fs"
import { dirname, isAbsolute, join, resolve } from "node:path"
import { gitlinks } from "../../protected/gitlinks.ts"

/** Maximum depth of repositories within repositories. */
const MAX_DEPTH = 5

/** Settings that neither name a program nor include other settings. */
const PLAIN_SETTING = new RegExp(
  `^(?:${[
    "core\\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|quotepath|longpaths|untrackedcache|preloadindex|compression|whitespace|abbrev|commentchar|commitgraph|multipackindex|hookspath|worktree|sparsecheckout|sparsecheckoutcone)",
    "extensions\\.worktreeconfig",
    "(?:user|author|committer)\\.(?:name|email|signingkey)",
    "remote\\..*\\.(?:url|fetch|pushurl|push|prune|tagopt|mirror|gh-resolved)",
    "submodule\\..*\\.(?:url|active|branch|ignore)",
    "(?:branch|color|column|advice|http|lfs|gitflow|safe)\\..*",
    "(?:status|pull|push|fetch|gc|rerere|init|index|pack|commit|tag)\\.[a-z]+",
    "log\\.(?:date|decorate|follow|abbrevcommit)",
    "diff\\.(?:algorithm|renames|renamelimit|noprefix|mnemonicprefix|colormoved|context)",
  ].join("|")})$`,
  "s",
)

/**
 * Returns true if git, started in this directory, runs nothing that the repository's own files name: no monitor,
 * filter, driver or hook. The user's own configuration is trusted. Reads a few files. Returns false if in doubt.
 */
export function isPlainRepository(directory: string, depth = 0): boolean {
  try {
    const root = rootAbove(realpathSync(directory))
    return root === undefined || (depth < MAX_DEPTH && isPlainRoot(root, depth))
  } catch {
    return false
  }
}

/** Returns the nearest directory that git would take for a repository. */
function rootAbove(directory: string): string | undefined {
  if (existsSync(join(directory, ".git")) || isBare(directory)) return directory
  const above = dirname(directory)
  return above === directory ? undefined : rootAbove(above)
}

/** Git takes a directory with the layout of `.git` for a repository. */
function isBare(directory: string): boolean {
  return hasHead(directory) && ["objects", "commondir"].some((name) => existsSync(join(directory, name)))
}

/** HEAD may be a dangling link. */
function hasHead(directory: string): boolean {
  return lstatSync(join(directory, "HEAD"), { throwIfNoEntry: false }) !== undefined
}

function isPlainRoot(root: string, depth: number): boolean {
  if (!existsSync(join(root, ".git"))) return false
  const own = gitDirectory(root)
  // Git ignores such a directory and looks in its parent.
  if (!hasHead(own)) return false
  const shared = join(own, "commondir")
  const common = existsSync(shared) ? resolve(own, readFileSync(shared, "utf8").trim()) : own
  const settings = [join(common, "config"), join(own, "config.worktree")].map(readSettings)
  const hooks = [join(common, "hooks")]
  for (const setting of settings.flat()) {
    const { key, value } = setting
    if (!PLAIN_SETTING.test(key)) return false
    // Sorting references by signature makes gpg check them.
    if (key.endsWith(".sort") && /signature/i.test(value)) return false
    if (key === "core.worktree" && resolve(own, value) !== root) return false
    if (key === "core.hookspath") hooks.push(isAbsolute(value) ? value : join(root, value))
  }
  // The only hook that read-only commands run.
  if (hooks.some((directory) => existsSync(join(directory, "post-index-change")))) return false
  const index = join(own, "index")
  const below = existsSync(index) ? gitlinks(readFileSync(index)) : []
  return below.every((path) => {
    return !existsSync(join(root, path, ".git")) || isPlainRepository(join(root, path), depth + 1)
  })
}

/** Returns `.git`, or the directory that a `.git` file names. */
function gitDirectory(root: string): string {
  const path = join(root, ".git")
  if (statSync(path).isDirectory()) return path
  const to = /^gitdir: (.+?)\s*$/s.exec(readFileSync(path, "utf8"))?.[1]
  if (to === undefined) throw new Error(`${path} names no directory.`)
  return resolve(root, to)
}

/** Throws if a line is invalid. */
function readSettings(file: string): { readonly key: string; readonly value: string }[] {
  if (!existsSync(file)) return []
  let section = ""
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => {
      if (/^\s*(?:[#;].*)?$/s.test(line)) return []
      const head = /^\s*\[([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\]\s*$/.exec(line)
      if (head) {
        section = [head[1]?.toLowerCase(), ...(head[2] === undefined ? [] : [head[2]])].join(".")
        return []
      }
      const [, name, value = ""] = /^\s*([a-z][\w-]*)\s*(?:=\s*(.*?))?\s*$/i.exec(line) ?? []
      if (name === undefined || section === "" || value.endsWith("\\")) throw new Error(`${file} is not understood.`)
      return [{ key: `${section}.${name.toLowerCase()}`, value: value.replace(/^"(.*)"$/s, "$1") }]
    })
}
