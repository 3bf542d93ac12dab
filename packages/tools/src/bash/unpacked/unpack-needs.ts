import { lstat, readFile, stat } from "node:fs/promises"
import { posix, resolve } from "node:path"
import type { ShellUnpacking } from "@pawl/shell"
import { isProtected } from "../../protected/is-protected.ts"
import { homeOf, type Judge, type Judged, pathNeeds, startOf } from "../path-needs.ts"
import type { Member } from "./member.ts"
import { patchTargets } from "./patch-targets.ts"
import { tarMembers } from "./tar-members.ts"
import { zipMembers } from "./zip-members.ts"

/** Maximum size in bytes. Larger archives and patches are not parsed. */
const MAX_BYTES = 16 * 1024 * 1024

/**
 * Returns the permissions for the files that an archive or a patch names: for protected files and for files outside of
 * the project. `edit` is asked for the directory. If the content is not known before the command runs, the written
 * files are unclear.
 */
export async function unpackNeeds(unpacking: ShellUnpacking, judge: Judge): Promise<Judged> {
  const members = unpacking.isLate && unpacking.text === undefined ? undefined : await membersOf(unpacking, judge)
  const unclear = { needs: [], unclear: `Which files ${unpacking.program} writes is not known before it runs.` }
  if (!members) return unclear
  if (members.length === 0) return { needs: [] }
  if (unpacking.directories.length === 0) return unclear
  const judged = await Promise.all(unpacking.directories.map((directory) => membersNeeds(members, directory, judge)))
  if (judged.includes(undefined)) return unclear
  const all = judged.flatMap((each) => each ?? [])
  const problem = all.find((each) => each.unclear !== undefined)?.unclear
  const needs = all.flatMap((each) => each.needs).filter(({ permission }) => permission !== "edit")
  return { needs, ...(problem === undefined ? {} : { unclear: problem }) }
}

/** Returns undefined if some members are unknown. A missing archive has no members. */
async function membersOf(unpacking: ShellUnpacking, judge: Judge): Promise<readonly Member[] | undefined> {
  const { kind, text, sources, strip } = unpacking
  if (text !== undefined) return patchTargets(text, strip)
  if (kind === "other" || sources.length === 0) return undefined
  const members: Member[] = []
  for (const source of sources) {
    const [start, way] = startOf(source, judge.context)
    const files = judge.expansion.expand(start, way)
    if (!files) return undefined
    for (const { path } of files) {
      const found = await fileMembers(resolve(start, path), unpacking)
      if (!found) return undefined
      members.push(...found)
    }
  }
  return members
}

async function fileMembers(file: string, { kind, strip }: ShellUnpacking): Promise<readonly Member[] | undefined> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => error)
  if (found instanceof Error) return found.code === "ENOENT" ? [] : undefined
  if (!found.isFile() || found.size > MAX_BYTES) return undefined
  const content = await readFile(file).catch(() => undefined)
  if (!content) return undefined
  if (kind === "patch") return patchTargets(content.toString("utf8"), strip)
  const members = kind === "tar" ? await tarMembers(content) : zipMembers(content)
  return members?.flatMap(({ path, ...member }) => {
    const names = path.split("/").filter((name) => name !== "" && name !== ".")
    const left = names.slice(strip ?? 0).join("/")
    return left === "" ? [] : [{ ...member, path: left }]
  })
}

/** Returns undefined if a member may be written through a link in the same archive. */
async function membersNeeds(
  members: readonly Member[],
  directory: string,
  judge: Judge,
): Promise<Judged[] | undefined> {
  const links = new Set(members.flatMap(({ path, isLink }) => (isLink ? [path] : [])))
  const first = new Map<string, string>()
  const chosen = new Set<string>()
  const start = /^~(?:\/|$)/.test(directory) ? homeOf(judge.context) : judge.context.cwd
  for (const { path } of members) {
    const above = posix.dirname(path)
    if (links.size > 0 && ancestors(path).some((each) => links.has(each))) return undefined
    // Files of the same directory have the same parent, so one of them is enough.
    if (!first.has(above)) first.set(above, path)
    const target = posix.join(directory, path)
    if (isProtected(target) || path.split("/").includes("..") || path.startsWith("/")) chosen.add(path)
    else if (await isLinkAt(resolve(start, target.replace(/^~\//, "")))) chosen.add(path)
  }
  const paths = [...new Set([...first.values(), ...chosen])]
  const join = (path: string) => (path.startsWith("/") ? path : posix.join(directory, path))
  return Promise.all(paths.map((path) => pathNeeds({ path: join(path), isWritten: true }, judge)))
}

function ancestors(path: string): string[] {
  const names = path.split("/")
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join("/"))
}

async function isLinkAt(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined)
  return found?.isSymbolicLink() === true
}
