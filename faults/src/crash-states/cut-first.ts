import { type SystemCall, textOf, type TraceEvent } from "./system-call.ts"

/**
 * Reorders a trace: each journal below `directory` is truncated or removed before the first sync since the last
 * truncation, so what the journal protects is not on the disk yet.
 */
export function withJournalsCutFirst(
  trace: readonly TraceEvent[],
  directory: string,
  journal: RegExp,
): readonly TraceEvent[] {
  const paths = new Map<string, string>()
  const result: TraceEvent[] = []
  let firstSync: number | undefined
  for (const event of trace) {
    const { call } = event
    const path = event.type === "ended" ? pathOf(event.call, paths) : undefined
    if (path === undefined || !path.startsWith(`${directory}/`)) {
      result.push(event)
      continue
    }
    if (isSync(call) && firstSync === undefined) firstSync = result.length
    if (!isCut(call) || !journal.test(path) || firstSync === undefined) {
      result.push(event)
      continue
    }
    result.splice(firstSync, 0, { type: "ended", call: cutOf(call, path) })
    firstSync = undefined
  }
  return result
}

/** Returns the path that a call uses. Remembers the paths of descriptors. */
function pathOf({ name, args, result }: SystemCall, paths: Map<string, string>): string | undefined {
  const [first = "", second = ""] = args
  if (name === "openat") {
    if (result >= 0) paths.set(String(result), textOf(second))
    return undefined
  }
  if (name === "close") {
    paths.delete(first)
    return undefined
  }
  if (name === "unlink" || name === "truncate") return textOf(first)
  return paths.get(first)
}

function isSync({ name }: Pick<SystemCall, "name">): boolean {
  return name === "fsync" || name === "fdatasync"
}

function isCut({ name, args }: Pick<SystemCall, "name" | "args">): boolean {
  return name === "unlink" || ((name === "ftruncate" || name === "truncate") && args[1] === "0")
}

/** Uses the path, because the file is not open at the new position of the call. */
function cutOf({ name }: Pick<SystemCall, "name">, path: string): SystemCall {
  const bytes = [...Buffer.from(path)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")
  return { name: name === "unlink" ? name : "truncate", args: [`"${bytes}"`, "0"], result: 0 }
}
