import { readdir, realpath } from "node:fs/promises"
import path from "node:path"
import { errorCode, readFailure } from "../read-text.ts"
import type { FolderKind, Place } from "./places.ts"
import { walk, type WalkOptions } from "./walk.ts"

/** A file with a definition. */
export interface FoundFile {
  readonly kind: FolderKind
  readonly file: string
  readonly isProject: boolean
  /** The path relative to the folder, without the extension, with slashes. */
  readonly name: string
}

export interface FindFailure {
  readonly file: string
  readonly failure: string
}

const isMarkdown = (name: string) => name.endsWith(".md") && !NOTES.has(name.toLowerCase())
/** Documentation files, which are not definitions. */
const NOTES = new Set(["readme.md", "agents.md", "claude.md"])

const SEARCHES: Readonly<Record<FolderKind, Pick<WalkOptions, "wants" | "depth">>> = {
  agent: { wants: isMarkdown, depth: "deep" },
  mode: { wants: isMarkdown, depth: "flat" },
  command: { wants: isMarkdown, depth: "deep" },
  skill: { wants: (name) => name === "SKILL.md", depth: "to-first" },
  tool: { wants: (name) => /(?<!\.d)\.(?:ts|js|mjs)$/.test(name), depth: "flat" },
  plugin: { wants: (name) => /(?<!\.d)\.(?:ts|js)$/.test(name), depth: "flat" },
  "claude-agent": { wants: isMarkdown, depth: "deep" },
  "claude-command": { wants: isMarkdown, depth: "deep" },
}

/**
 * Returns the files in these places, in order. A file that links lead to twice has the position where it occurs last.
 */
export async function findFiles(
  places: readonly Place[],
  worktree: string,
): Promise<{ files: FoundFile[]; failures: FindFailure[] }> {
  const root = once(() => realpath(worktree).catch(() => worktree))
  const searches = await Promise.all(places.map((place) => foldersIn(place)))
  const walks = await Promise.all(
    searches.flatMap(({ folders }) =>
      folders.map(async ({ kind, directory, isProject }) => {
        const within = isProject ? await root() : undefined
        return { kind, directory, isProject, ...(await walk(directory, { ...SEARCHES[kind], within })) }
      }),
    ),
  )
  const all = walks.flatMap(({ kind, directory, isProject, files }) =>
    files.map(({ file, realFile }) => ({ kind, file, realFile, isProject, name: nameBelow(directory, file) })),
  )
  const last = new Map(all.map(({ realFile }, index) => [realFile, index]))
  const files = all
    .filter(({ realFile }, index) => last.get(realFile) === index)
    .map(({ kind, file, isProject, name }) => ({ kind, file, isProject, name }))
  const failures = [...searches.flatMap((each) => each.failures), ...walks.flatMap((each) => each.failures)]
  return { files, failures }
}

interface Folder {
  readonly kind: FolderKind
  readonly directory: string
  readonly isProject: boolean
}

/** Reads a directory once to find its folders, since most of the possible folders do not exist. */
async function foldersIn({
  directory,
  isProject,
  folders,
}: Place): Promise<{ folders: Folder[]; failures: FindFailure[] }> {
  let names: string[]
  try {
    names = await readdir(directory)
  } catch (error) {
    const code = errorCode(error)
    // A missing folder is an error only if the user configured it.
    const isExpected = typeof folders === "string" || !["ENOENT", "ENOTDIR"].includes(code)
    return { folders: [], failures: isExpected ? [{ file: directory, failure: readFailure(code) }] : [] }
  }
  if (typeof folders === "string") return { folders: [{ kind: folders, directory, isProject }], failures: [] }
  const present = names.toSorted().flatMap((name) => {
    const kind = Object.hasOwn(folders, name) ? folders[name] : undefined
    return kind === undefined ? [] : [{ kind, directory: path.join(directory, name), isProject }]
  })
  return { folders: present, failures: [] }
}

function nameBelow(directory: string, file: string): string {
  const below = path.relative(directory, file).split(path.sep).join("/")
  return below.slice(0, -path.extname(below).length)
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let pending: Promise<Value> | undefined
  return () => (pending ??= make())
}
