import type { EventMap } from "@pawl/core"
import { plainLine } from "@pawl/plain-text"
import { count, dollars } from "./quantity.ts"

export type Compacted = EventMap["session.compacted"]

/** Renders the start of a compaction. */
export function compactingLine({ auto, background }: EventMap["session.compacting"]): string {
  if (background) return "the context is filling up: a summary is prepared while the work goes on"
  return auto ? "the context is full: summarizing older messages" : "summarizing older messages"
}

/** Renders the result of a compaction. */
export function compactedLine({ strategy, before, after, cost, reason }: Compacted): string {
  const price = cost > 0 ? ` · ${dollars(cost)}` : ""
  const why = reason === undefined ? "" : ` · no summary of a model: ${plainLine(reason)}`
  return `${WHAT[strategy]}: ${count(before)} → ${count(after)} tokens${price}${why}`
}

const WHAT: Record<Compacted["strategy"], string> = {
  prune: "old outputs of tools cleared",
  summary: "compacted to a summary",
  extract: "compacted to an extract",
  tail: "compacted to the newest messages",
}
