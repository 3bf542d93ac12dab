import { lstat } from "node:fs/promises"
import path from "node:path"
import { ConfigError } from "./config-error.ts"
import { configPaths } from "./config-paths.ts"
import { openCodeDirectory } from "./opencode/directory.ts"
import { projectDirectories } from "./project-directories.ts"
import { errorCode } from "./read-text.ts"
import { displayPath, resolveUserPath, withoutHome } from "./user-path.ts"
import type { ReadConfigOptions } from "./options.ts"
import type { FileSource, Source } from "./source.ts"

const OWN = ["pawl.json", "pawl.jsonc"]
const OPENCODE = ["opencode.json", "opencode.jsonc"]

/** Files in ascending precedence. OpenCode's files are used only if there is no file of pawl. */
interface FileCandidates {
  readonly kind: FileSource["kind"]
  readonly own: readonly string[]
  readonly openCode: readonly string[]
  readonly namedBy?: string
}

/** Lists sources, lowest precedence first. Reads no file; lists a file named for this run even if it is missing. */
export async function findSources(options: ReadConfigOptions): Promise<Source[]> {
  const { directory, home, env } = options
  const found = (await Promise.all(filePlaces(options).map(filesIn))).flat()
  const files = found
    // If two places lead to the same file, it has the higher precedence of both. A file that the user configured is not
    // treated as a file of the project.
    .filter(({ name }, index) => found.findLastIndex((file) => file.name === name) === index)
    .map((file) => ({ ...file, kind: found.find(({ name }) => name === file.name)?.kind ?? file.kind }))
  const sources: Source[] = files.map((file) => ({ ...file, label: displayPath(file.name, { directory, home }) }))

  for (const name of ["OPENCODE_CONFIG_CONTENT", "PAWL_CONFIG_CONTENT"]) {
    const text = env[name]
    const isOpenCode = name.startsWith("OPENCODE_")
    if (text) sources.push({ kind: "content", name, label: name, text, ...(isOpenCode && { isOpenCode }) })
  }

  const value = Object.fromEntries(Object.entries(options.overrides ?? {}).filter(([, given]) => given !== undefined))
  if (Object.keys(value).length > 0) sources.push({ kind: "overrides", name: "overrides", label: "overrides", value })

  return sources
}

/**
 * Lists every file that may contain configuration, also missing ones, for watching. Throws ConfigError if the home
 * directory is missing.
 */
export function configFiles(options: ReadConfigOptions): string[] {
  return [...new Set(filePlaces(options).flatMap(({ own, openCode }) => [...own, ...openCode]))]
}

function filePlaces({ directory, worktree, env, home, file, openCodeFile }: ReadConfigOptions): FileCandidates[] {
  const named = file || env["PAWL_CONFIG"]
  const foreign = openCodeFile || env["OPENCODE_CONFIG"]
  const places: FileCandidates[] = [
    {
      kind: "global",
      own: namesIn(configPaths({ env, home }).config, OWN),
      openCode: openCodeFiles({ env, home }),
    },
    ...(foreign ? [foreignPlace(resolveNamed(foreign, directory, home))] : []),
    ...(named ? [namedPlace(resolveNamed(named, directory, home))] : []),
    ...projectDirectories(directory, worktree).map((each): FileCandidates => ({
      kind: "project",
      own: namesIn(each, OWN),
      openCode: [...namesIn(each, OPENCODE), ...namesIn(path.join(each, ".opencode"), OPENCODE)],
    })),
  ]
  return places
}

/**
 * Lists OpenCode's user configuration, which is used only if pawl has no file there. The last file has the highest
 * precedence.
 */
export function openCodeFiles({ env, home }: Pick<ReadConfigOptions, "env" | "home">): string[] {
  // `PAWL_CONFIG_DIR` replaces the default directory.
  if (env["PAWL_CONFIG_DIR"]) return []
  return [
    ...openCodeDirectory({ env, home }).flatMap((each) => namesIn(each, ["config.json", ...OPENCODE])),
    ...(home ? namesIn(path.join(home, ".opencode"), OPENCODE) : []),
  ]
}

function namedPlace(file: string): FileCandidates {
  const isOpenCode = OPENCODE.includes(path.basename(file))
  const namedBy = "--config or PAWL_CONFIG"
  return { kind: "file", own: isOpenCode ? [] : [file], openCode: isOpenCode ? [file] : [], namedBy }
}

function foreignPlace(file: string): FileCandidates {
  return { kind: "file", own: [], openCode: [file], namedBy: "OPENCODE_CONFIG" }
}

async function filesIn({ kind, own, openCode, namedBy }: FileCandidates): Promise<Omit<FileSource, "label">[]> {
  const more = namedBy === undefined ? {} : { namedBy }
  const there = await present(kind, own)
  if (there.length > 0) return there.map((name) => ({ kind, name, ...more }))
  return (await present(kind, openCode)).map((name) => ({ kind, name, isOpenCode: true, ...more }))
}

async function present(kind: FileSource["kind"], names: readonly string[]): Promise<string[]> {
  const isPresent = await Promise.all(names.map(async (name) => kind === "file" || (await isThere(name))))
  return names.filter((_, index) => isPresent[index])
}

function resolveNamed(written: string, base: string, home: string | undefined): string {
  const name = resolveUserPath(written, { base, home })
  if (name === undefined) throw new ConfigError([{ message: withoutHome(written) }])
  return name
}

function namesIn(directory: string, names: readonly string[]): string[] {
  return names.map((name) => path.join(directory, name))
}

/** Returns true also for a broken link or an inaccessible file, so that reading it reports the problem. */
export async function isThere(name: string): Promise<boolean> {
  try {
    await lstat(name)
    return true
  } catch (error) {
    return !["ENOENT", "ENOTDIR"].includes(errorCode(error))
  }
}
