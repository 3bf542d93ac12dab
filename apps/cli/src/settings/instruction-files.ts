import { realpath, stat } from "node:fs/promises"
import { basename, isAbsolute, join, relative, resolve, sep } from "node:path"
import type { Host } from "../host.ts"
import { absolute, baseOf, type Layer } from "./layer.ts"
import type { Settings } from "./settings.ts"
import { isSwitchedOn } from "./switches.ts"

type Environment = Host["environment"]

/** Each keeps the instructions that the user has written for Claude Code out of the prompt when it is `1` or `true`. */
const WITHOUT_CLAUDE_CODE = [
  "PAWL_DISABLE_CLAUDE_CODE",
  "PAWL_DISABLE_CLAUDE_CODE_PROMPT",
  "OPENCODE_DISABLE_CLAUDE_CODE",
  "OPENCODE_DISABLE_CLAUDE_CODE_PROMPT",
]

/**
 * Instructions besides the project's own, absolute paths and addresses: the user's `AGENTS.md`, or where there is none
 * what they have written for Claude Code, then what the configuration names, files of a pattern in the order of their
 * paths. A project may name files of its work tree only, and no address: whoever wrote it chose them, and their content
 * is sent to the model.
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

async function ownInstructions(
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

interface Place {
  readonly base: string
  readonly home: string | undefined
  readonly worktree: string
}

async function namedBy({ isProject, kind }: Layer, written: string, { worktree, ...place }: Place): Promise<string[]> {
  if (/^https?:\/\//i.test(written)) return isProject ? [] : [written]
  // Nor may an organization choose what it gets to read of this machine.
  const isFree = !isProject && kind !== "organization"
  const isAllowed = async (path: string) => isFree || (await isInside(path, worktree))
  const file = absolute(written, place)
  const pattern = patternOf(written)
  // A file that is called like a pattern is meant by its name.
  if (!pattern || (await exists(file))) return (await isAllowed(file)) ? [file] : []
  const root = absolute(pattern.root, place)
  // Nor does a project make us walk through what lies beyond its work tree.
  if (!(await isAllowed(root))) return []
  const found = await matching(root, pattern.rest)
  const allowed = await Promise.all(found.map(isAllowed))
  return found.filter((_, at) => allowed[at])
}

/** A pattern in two: the directory to begin in, and what is to match below it. Undefined for a plain path. */
function patternOf(written: string): { readonly root: string; readonly rest: string } | undefined {
  const names = written.split("/")
  const at = names.findIndex((name) => /[*?[{]|[@+!]\(/.test(name))
  if (at < 0) return undefined
  const root = names.slice(0, at).join("/")
  return { root: at > 0 ? `${root}/` : ".", rest: names.slice(at).join("/") }
}

/** Files, absolute, in the order of their paths. What is installed or belongs to git is not searched. */
async function matching(root: string, pattern: string): Promise<string[]> {
  if (pattern.split("/").includes("..")) return []
  const { glob } = await import("node:fs/promises")
  const exclude = (path: string) => [".git", "node_modules"].includes(basename(path))
  const found: string[] = []
  for await (const path of glob(pattern, { cwd: root, exclude })) found.push(resolve(root, path))
  const isFile = await Promise.all(found.map((path) => exists(path)))
  return found.filter((_, at) => isFile[at]).toSorted()
}

async function exists(file: string): Promise<boolean> {
  const stats = await stat(file).catch(() => undefined)
  return stats?.isFile() ?? false
}

/** Also for the directory itself. */
async function isInside(path: string, directory: string): Promise<boolean> {
  const [inner, outer] = await Promise.all([real(path), real(directory)])
  const below = relative(outer, inner)
  return below.split(sep)[0] !== ".." && !isAbsolute(below)
}

async function real(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}
