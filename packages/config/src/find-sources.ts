import { lstat } from "node:fs/promises"
import path from "node:path"
import { ConfigError } from "./config-error.ts"
import { configPaths } from "./config-paths.ts"
import { projectDirectories } from "./project-directories.ts"
import { errorCode } from "./read-text.ts"
import { displayPath, resolveUserPath, withoutHome } from "./user-path.ts"
import type { ReadConfigOptions } from "./options.ts"
import type { FileSource, Source } from "./source.ts"

const fileNames = ["pawl.json", "pawl.jsonc"]

/** What there is to read, lowest precedence first. Reads no file; a file named for this run is listed even if missing. */
export async function findSources(options: ReadConfigOptions): Promise<Source[]> {
  const candidates = fileCandidates(options)
  const isPresent = await Promise.all(candidates.map(isThere))
  const files = candidates.filter((_, index) => isPresent[index])
  // A file met twice counts once, where it ranks highest.
  const isLast = ({ name }: FileSource, index: number) => files.findLastIndex((file) => file.name === name) === index
  const sources: Source[] = files.filter(isLast)

  const text = options.env["PAWL_CONFIG_CONTENT"]
  if (text) sources.push({ kind: "content", name: "PAWL_CONFIG_CONTENT", label: "PAWL_CONFIG_CONTENT", text })

  const value = Object.fromEntries(Object.entries(options.overrides ?? {}).filter(([, given]) => given !== undefined))
  if (Object.keys(value).length > 0) sources.push({ kind: "overrides", name: "overrides", label: "overrides", value })

  return sources
}

function fileCandidates({ directory, worktree, env, home, file }: ReadConfigOptions): FileSource[] {
  const project = projectDirectories(directory, worktree).flatMap(namesIn)
  const named = file || env["PAWL_CONFIG"]
  const source = (kind: FileSource["kind"], name: string): FileSource => {
    return { kind, name, label: displayPath(name, { directory, home }) }
  }
  return [
    ...namesIn(configPaths({ env, home }).config).map((name) => source("global", name)),
    ...(named ? [source("file", resolveNamed(named, directory, home))] : []),
    ...project.map((name) => source("project", name)),
  ]
}

function resolveNamed(written: string, base: string, home: string | undefined): string {
  const name = resolveUserPath(written, { base, home })
  if (name === undefined) throw new ConfigError([{ message: withoutHome(written) }])
  return name
}

function namesIn(directory: string): string[] {
  return fileNames.map((name) => path.join(directory, name))
}

/** A broken link is present, and so is what cannot be examined: reading it then says what is wrong. */
async function isThere({ kind, name }: FileSource): Promise<boolean> {
  if (kind === "file") return true
  try {
    await lstat(name)
    return true
  } catch (error) {
    return !["ENOENT", "ENOTDIR"].includes(errorCode(error))
  }
}
