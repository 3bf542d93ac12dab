import type { MessageWithParts, Part, ToolPart } from "../../record/message.ts"
import { TOOL_SEARCH } from "../../tool-set/tool-search.ts"
import { markerPart } from "../../record/compaction-record.ts"
import { createPartTokens, type PartTokens, type TokenScale } from "./part-tokens.ts"

/** A call whose output can be cleared. */
export type CompletedTool = ToolPart & { readonly state: Extract<ToolPart["state"], { status: "completed" }> }

export interface PruneSelection {
  /** Calls to clear, oldest first; empty if clearing would not reclaim enough. */
  readonly parts: readonly CompletedTool[]
  /** Tokens that leave the context, attachments included. */
  readonly reclaimed: number
  /** Tokens from the first cleared output's message on, after clearing: the cache has to be written again with them. */
  readonly rewritten: number
}

const NOTHING: PruneSelection = { parts: [], reclaimed: 0, rewritten: 0 }

/** Number of turns whose outputs the agent works with. */
const RECENT_TURNS = 2
const KEPT_TOKENS = 40_000
const MIN_RECLAIMED_TOKENS = 20_000
/** Parts of the usable window that replace these numbers in small windows: below 100,000 tokens. */
const KEPT_SHARE = 0.4
const MIN_RECLAIMED_SHARE = 0.2
/** Outputs that stay valid for the rest of the session: texts of skills and parameters of tools. */
const PROTECTED_TOOLS: ReadonlySet<string> = new Set(["skill", TOOL_SEARCH])

export interface PruneScope extends TokenScale {
  /** Usable tokens of input. Infinity if the window is not known. */
  readonly usable: number
}

export type SelectPrunable = (messages: readonly MessageWithParts[], scope: PruneScope) => PruneSelection

/**
 * Selects old tool outputs to clear. Walks back from the newest message: the two newest turns of the user stay, and the
 * newest 40,000 tokens of outputs before them. Older outputs are selected if they have at least 20,000 tokens. The walk
 * ends at an applied summary or at a cleared output. In a small window the numbers are 0.4 and 0.2 of the usable
 * tokens. Caches the tokens of parts, so another selection only costs a walk.
 */
export function createSelectPrunable(tokens: PartTokens = createPartTokens()): SelectPrunable {
  return (messages, scope) => {
    const kept = Math.min(KEPT_TOKENS, KEPT_SHARE * scope.usable)
    const least = Math.min(MIN_RECLAIMED_TOKENS, MIN_RECLAIMED_SHARE * scope.usable)
    const parts: CompletedTool[] = []
    let outputs = 0
    let reclaimed = 0
    let first = messages.length
    for (const { part, at } of oldCalls(messages)) {
      const size = tokens.cleared(part, scope)
      outputs += Math.max(0, size)
      if (outputs <= kept || size <= 0) continue
      parts.unshift(part)
      reclaimed += size
      first = at
    }
    if (parts.length === 0 || reclaimed < least) return NOTHING
    const behind = messages.slice(first).reduce((sum, message) => sum + tokens.message(message, scope), 0)
    return { parts, reclaimed: Math.floor(reclaimed), rewritten: Math.ceil(Math.max(0, behind - reclaimed)) }
  }
}

/** Yields the calls that may be cleared, newest first, with the index of their messages. */
function* oldCalls(
  messages: readonly MessageWithParts[],
): Generator<{ readonly part: CompletedTool; readonly at: number }> {
  const prepared = preparedMarkers(messages)
  let turns = 0
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at]
    if (!message) continue
    if (isUserTurn(message)) turns++
    if (message.info.role === "user") continue
    // The summary of a prepared compaction is not in the context yet.
    if (message.info.summary && prepared.has(message.info.parentID)) continue
    if (message.info.summary) return
    if (turns < RECENT_TURNS) continue
    for (let index = message.parts.length - 1; index >= 0; index--) {
      const part = message.parts[index]
      if (!part || !isCompleted(part) || part.metadata?.["providerExecuted"] === true) continue
      if (part.state.time.compacted !== undefined) return
      if (!PROTECTED_TOOLS.has(part.tool)) yield { part, at }
    }
  }
}

/** Returns whether a user's own message began a turn: not a compaction's marker, and not a message of the engine. */
function isUserTurn({ info, parts }: MessageWithParts): boolean {
  if (info.role !== "user" || parts.some((part) => part.type === "compaction")) return false
  return parts.some((part) => part.type !== "text" || (!part.synthetic && !part.ignored))
}

function preparedMarkers(messages: readonly MessageWithParts[]): ReadonlySet<string> {
  const markers = new Set<string>()
  for (const message of messages) if (markerPart(message)?.prepared) markers.add(message.info.id)
  return markers
}

function isCompleted(part: Part): part is CompletedTool {
  return part.type === "tool" && part.state.status === "completed"
}
