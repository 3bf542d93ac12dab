import type { Dropped, DroppedKind } from "@pawl/transfer"
import { foreignLine } from "@pawl/terminal-text/foreign-lines"
import { grouped } from "@pawl/terminal-text/quantity"

type Words = readonly [one: string, several: string]

/** Names of the kinds, in the order of the list. */
const WORDS: Readonly<Record<DroppedKind, Words>> = {
  approval: ["answer of always", "answers of always"],
  rule: ["rule that allows", "rules that allow"],
  tool: ["tool switched on", "tools switched on"],
  agent: ["agent", "agents"],
  directory: ["directory", "directories"],
  parent: ["link to a session that is here", "links to sessions that are here"],
  call: ["unfinished call", "unfinished calls"],
  plan: ["approval of a plan", "approvals of plans"],
  mention: ["named subagent", "named subagents"],
  subtask: ["task of a subagent", "tasks of subagents"],
  prompt: ["waiting prompt", "waiting prompts"],
  system: ["stored system prompt", "stored system prompts"],
  share: ["share link", "share links"],
  revert: ["undo state", "undo states"],
  change: ["change of a file that could be undone", "changes of files that could be undone"],
}

/** Kinds of which only the number is printed. */
const COUNTED: ReadonlySet<DroppedKind> = new Set(["system", "prompt", "revert", "change"])

/** Number of items of a kind that are named. */
const NAMED = 5

/** Renders what an import dropped, a line per session and kind. */
export function droppedLines(dropped: readonly Dropped[]): string[] {
  return [...Map.groupBy(dropped, ({ sessionID }) => sessionID)].flatMap(([id, own]) => {
    return byKind(own).map(([kind, things]) => {
      const named = things.slice(0, NAMED).map(({ what }) => foreignLine(what))
      const more = things.length > NAMED ? [`and ${grouped(things.length - NAMED)} more`] : []
      return `${id}: left out ${counted(kind, things)}${COUNTED.has(kind) ? "" : `: ${[...named, ...more].join(", ")}`}`
    })
  })
}

/** Renders the same in one line, for many sessions. Undefined if nothing was dropped. */
export function droppedCounts(dropped: readonly Dropped[]): string | undefined {
  if (dropped.length === 0) return undefined
  return `left out: ${byKind(dropped)
    .map(([kind, things]) => counted(kind, things))
    .join(", ")}`
}

function byKind(dropped: readonly Dropped[]): (readonly [DroppedKind, readonly Dropped[]])[] {
  return (Object.keys(WORDS) as DroppedKind[]).flatMap((kind) => {
    const things = dropped.filter((each) => each.kind === kind)
    return things.length === 0 ? [] : [[kind, things] as const]
  })
}

function counted(kind: DroppedKind, { length }: readonly Dropped[]): string {
  return `${grouped(length)} ${WORDS[kind][length === 1 ? 0 : 1]}`
}
