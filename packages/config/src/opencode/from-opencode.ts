import type { KeyPath } from "../key-path.ts"
import { Draft, type Dropped, isFields } from "./draft.ts"
import { ignoredBecause } from "./ignored-keys.ts"

export interface FromOpenCode {
  /** In pawl's keys where they exist. */
  readonly value: unknown
  readonly dropped: readonly Dropped[]
  /** Maps a path of the value to its original path. */
  readonly writtenAt: (path: KeyPath) => KeyPath
}

/**
 * Converts OpenCode's keys to pawl's keys with the same meaning. Unknown values and those of a wrong type stay
 * unchanged. `isKnown` returns true for top-level keys of pawl.
 */
export function fromOpenCode(written: unknown, isKnown: (key: string) => boolean): FromOpenCode {
  if (!isFields(written)) return { value: written, dropped: [], writtenAt: (path) => path }
  const draft = new Draft(written)
  draft.move(["agents"], ["agent"])
  draft.move(["commands"], ["command"])
  draft.move(["compaction", "keep", "tokens"], ["compaction", "preserve_recent_tokens"])
  if (isEmpty(draft.at(["compaction", "keep"]))) draft.remove(["compaction", "keep"])
  draft.move(["compaction", "buffer"], ["compaction", "reserved"])
  // Dropped, since it would otherwise define an agent that users can select.
  draft.drop(["agent", "summary"], "pawl has no such agent: compaction writes its summaries, title its titles")
  skills(draft)
  servers(draft)
  if (draft.at(["formatter"]) === true) draft.drop(["formatter"], "pawl has no formatters of its own: name programs")
  for (const key of draft.names([])) {
    const reason = isKnown(key) ? undefined : ignoredBecause(key)
    if (reason !== undefined) draft.drop([key], reason)
  }
  return { value: draft.value, dropped: draft.dropped, writtenAt: (path) => draft.moves.writtenAt(path) }
}

/** Converts a list of skills: keeps directories and ignores URLs. */
function skills(draft: Draft): void {
  const listed = draft.at(["skills"])
  if (Array.isArray(listed)) {
    draft.remove(["skills"])
    draft.put(
      ["skills", "paths"],
      listed.filter((each) => !isAddress(each)),
      ["skills"],
    )
    if (listed.some(isAddress)) draft.dropped.push({ path: ["skills"], reason: SKILLS })
  }
  draft.drop(["skills", "urls"], SKILLS)
}

const SKILLS = "pawl fetches no skills: name directories"

function isAddress(value: unknown): boolean {
  return typeof value === "string" && /^https?:/i.test(value)
}

/** Converts `mcp.servers`, a table of servers beside a timeout for all of them. */
function servers(draft: Draft): void {
  const table = draft.at(["mcp", "servers"])
  if (isFields(table) && !("type" in table) && !("enabled" in table)) {
    draft.remove(["mcp", "servers"])
    for (const [name, server] of Object.entries(table)) draft.putOrDrop(["mcp", name], server, ["mcp", "servers", name])
  }
  for (const from of [
    ["mcp", "timeout"],
    ["experimental", "mcp_timeout"],
  ]) {
    const timeout = draft.at(from)
    if (typeof timeout !== "number") continue
    draft.remove(from)
    for (const name of draft.names(["mcp"])) {
      if (draft.at(["mcp", name, "type"]) !== undefined) draft.put(["mcp", name, "timeout"], timeout, from)
    }
  }
  if (isEmpty(draft.at(["experimental"]))) draft.remove(["experimental"])
}

function isEmpty(value: unknown): boolean {
  return isFields(value) && Object.keys(value).length === 0
}
