import { lstat } from "node:fs/promises"
import path from "node:path"
import { ConfigError } from "./config-error.ts"
import { configPaths } from "./config-paths.ts"
import { errorCode } from "./read-text.ts"
import { displayPath, resolveUserPath } from "./user-path.ts"
import type { ConfigOverrides, Env, FileSource, Source } from "./source.ts"

export interface SourceOptions {
  directory: string
  worktree?: string | undefined
  env: Env
  home: string | undefined
  file?: string | undefined
  overrides?: ConfigOverrides | undefined
}

const fileNames = ["pawl.json", "pawl.jsonc"]

/** What there is to read, lowest precedence first. Reads no file; a file named for this run is listed even if missing. */
export async function findSources(options: SourceOptions): Promise<Source[]> {
  const candidates = fileCandidates(options)
  const present = await Promise.all(candidates.map(({ kind, name }) => kind === "file" || isPresent(name)))
  const sources: Source[] = candidates.filter((_, index) => present[index])

  const text = options.env["PAWL_CONFIG_CONTENT"]
  if (text) sources.push({ kind: "content", name: "PAWL_CONFIG_CONTENT", label: "PAWL_CONFIG_CONTENT", text })

  const value = Object.fromEntries(Object.entries(options.overrides ?? {}).filter(([, given]) => given !== undefined))
  if (Object.keys(value).length > 0) sources.push({ kind: "overrides", name: "overrides", label: "overrides", value })

  return sources
}

function fileCandidates({ directory, worktree, env, home, file }: SourceOptions): FileSource[] {
  const candidate = (kind: FileSource["kind"], name: string): FileSource => ({
    kind,
    name,
    label: displayPath(name, { directory, home }),
  })
  const named = file || env["PAWL_CONFIG"]
  const candidates = [
    ...namesIn(configPaths({ env, home }).config).map((name) => candidate("global", name)),
    ...(named ? [candidate("file", resolveUserPath(named, { base: directory, home }))] : []),
    ...projectDirectories(directory, worktree)
      .flatMap(namesIn)
      .map((name) => candidate("project", name)),
  ]
  // A file met twice counts once, where it ranks highest.
  return candidates.filter(({ name }, index) => candidates.findLastIndex((other) => other.name === name) === index)
}

function namesIn(directory: string): string[] {
  return fileNames.map((name) => path.join(directory, name))
}

/** From the root of the worktree down to the directory; the directory alone without a worktree. */
function projectDirectories(directory: string, worktree = directory): string[] {
  for (const given of [directory, worktree]) {
    if (!path.isAbsolute(given)) throw new TypeError(`readConfig needs absolute paths, got ${JSON.stringify(given)}.`)
  }
  const below = path.relative(worktree, directory)
  const steps = below === "" ? [] : below.split(path.sep)
  if (steps[0] === ".." || path.isAbsolute(below)) {
    throw new ConfigError([{ message: `The directory ${directory} is not inside its worktree ${worktree}.` }])
  }
  return [worktree, ...steps.map((_, index) => path.join(worktree, ...steps.slice(0, index + 1)))]
}

/** A broken link is present, and so is what cannot be examined: reading it then says what is wrong. */
async function isPresent(file: string): Promise<boolean> {
  try {
    await lstat(file)
    return true
  } catch (error) {
    return !["ENOENT", "ENOTDIR"].includes(errorCode(error))
  }
}
