import { type Dirent, realpathSync } from "node:fs"
import { realpath, stat } from "node:fs/promises"
import { isIP } from "node:net"
import { isAbsolute, join, relative, resolve, sep } from "node:path"
import type { RuntimeHost } from "../host.ts"
import { absolute, baseOf, type Layer } from "@pawl/config/layer"
import type { Settings } from "./settings.ts"
import { isSwitchedOn } from "./switches.ts"

type Environment = RuntimeHost["environment"]

/** If one of these is `1` or `true`, the user's instructions for Claude Code are not part of the prompt. */
const WITHOUT_CLAUDE_CODE = [
  "PAWL_DISABLE_CLAUDE_CODE",
  "PAWL_DISABLE_CLAUDE_CODE_PROMPT",
  "OPENCODE_DISABLE_CLAUDE_CODE",
  "OPENCODE_DISABLE_CLAUDE_CODE_PROMPT",
]

/**
 * Returns instructions besides the project's own, as absolute paths and addresses: the user's `AGENTS.md`, or if it is missing
 * the user's file for Claude Code, then the configured ones. Files of a pattern are sorted by path. A project may name only
 * files of its work tree, and no address, because their content is sent to the model.
 */
export async function instructionFiles(
  { layers, configDirectory, directory, worktree }: Settings,
  home: string | undefined,
  environment: Environment = {},
): Promise<string[]> {
  const own = ownInstructions(configDirectory, home, environment)
  const named = layers.flatMap((layer) => {
    return (layer.config.instructions ?? []).map((written) => {
      return namedBy(layer, written, { base: baseOf(layer) ?? directory, home, worktree })
    })
  })
  return [...new Set([await own, ...(await Promise.all(named)).flat()])]
}

/** Returns the path of the user's own instructions, which may be missing. */
export async function ownInstructions(
  configDirectory: string,
  home: string | undefined,
  environment: Environment,
): Promise<string> {
  const own = join(configDirectory, "AGENTS.md")
  const isOff = isSwitchedOn(environment, WITHOUT_CLAUDE_CODE)
  if (isOff || !home || (await exists(own))) return own
  const claude = join(home, ".claude", "CLAUDE.md")
  return (await exists(claude)) ? claude : own
}

interface WrittenLocation {
  readonly base: string
  readonly home: string | undefined
  readonly worktree: string
}

async function namedBy(layer: Layer, written: string, { worktree, ...location }: WrittenLocation): Promise<string[]> {
  const { isProject, kind } = layer
  if (/^https?:\/\//i.test(written)) return (await mayFetch(layer, written)) ? [written] : []
  // An organization must not choose which other files of this machine are read.
  const isFree = !isProject && kind !== "organization"
  const isAllowed = async (path: string) => isFree || (await isInside(path, worktree))
  const file = absolute(written, location)
  const pattern = patternOf(written)
  // A file whose name looks like a pattern is taken by its name.
  if (!pattern || (await exists(file))) return (await isAllowed(file)) ? [file] : []
  const root = absolute(pattern.root, location)
  // A project must not make pawl search directories outside of its work tree.
  if (!(await isAllowed(root))) return []
  const found = await matching(root, pattern.rest, isFree ? undefined : await real(worktree))
  const allowed = await Promise.all(found.map(isAllowed))
  return found.filter((_, at) => allowed[at])
}

/**
 * An organization may name pages of its own server and public ones, but none that only this machine or its network can
 * reach.
 */
async function mayFetch({ isProject, kind, source }: Layer, address: string): Promise<boolean> {
  if (isProject || kind !== "organization") return !isProject
  const url = URL.parse(address)
  if (!url) return false
  if (url.origin === URL.parse(source)?.origin) return true
  const host = url.hostname.replaceAll(/^\[|\]$|\.$/g, "")
  if (url.protocol !== "https:" || /(?:^|\.)localhost$/.test(host)) return false
  const { blockedRange } = await import("@pawl/address-guard")
  return isIP(host) === 0 || blockedRange(host) === undefined
}

/** Splits a pattern into the directory to start in and the rest. Undefined for a plain path. */
function patternOf(written: string): { readonly root: string; readonly rest: string } | undefined {
  const names = written.split("/")
  const at = names.findIndex((name) => /[*?[{]|[@+!]\(/.test(name))
  if (at < 0) return undefined
  const root = names.slice(0, at).join("/")
  return { root: at > 0 ? `${root}/` : ".", rest: names.slice(at).join("/") }
}

/**
 * Returns absolute paths of files, sorted. Skips `.git` and `node_modules`, and links that lead out of `within`, which
 * must be a real path.
 */
async function matching(root: string, pattern: string, within: string | undefined): Promise<string[]> {
  if (pattern.split("/").includes("..")) return []
  const { glob } = await import("node:fs/promises")
  const pathOf = ({ parentPath, name }: Dirent) => resolve(root, parentPath, name)
  const isBeyond = within === undefined ? () => false : beyond(within)
  const exclude = (entry: Dirent) => {
    if ([".git", "node_modules"].includes(entry.name)) return true
    // `glob` follows a link that the pattern names in any case: then its content is excluded.
    return isBeyond(resolve(root, entry.parentPath)) || (entry.isSymbolicLink() && isBeyond(pathOf(entry)))
  }
  const found: string[] = []
  for await (const entry of glob(pattern, { cwd: root, exclude, withFileTypes: true })) found.push(pathOf(entry))
  const isFile = await Promise.all(found.map((path) => exists(path)))
  return found.filter((_, at) => isFile[at]).toSorted()
}

async function exists(file: string): Promise<boolean> {
  const stats = await stat(file).catch(() => undefined)
  return stats?.isFile() ?? false
}

async function isInside(path: string, directory: string): Promise<boolean> {
  const [inner, outer] = await Promise.all([real(path), real(directory)])
  return isBelow(inner, outer)
}

/** Returns a check for paths that lead out of a directory or do not exist. The directory is a real path. Results are cached. */
function beyond(directory: string): (path: string) => boolean {
  const known = new Map<string, boolean>()
  return (path) => {
    const found = known.get(path) ?? !isBelow(realOrRoot(path), directory)
    known.set(path, found)
    return found
  }
}

function realOrRoot(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return "/"
  }
}

/** Also true for the directory itself. */
function isBelow(path: string, directory: string): boolean {
  const below = relative(directory, path)
  return below.split(sep)[0] !== ".." && !isAbsolute(below)
}

async function real(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}
