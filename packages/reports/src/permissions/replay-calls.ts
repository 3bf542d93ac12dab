import type { Agent } from "@pawl/core"
import {
  judgeNeeds,
  type PermissionAction,
  type PermissionDecision,
  permissionRules,
  type ToolLocation,
  type PermissionScope,
} from "@pawl/core/permission"
import { type JSONObject, type MessageWithParts, readAncestors, type Session, type ToolPart } from "@pawl/core/record"
import type { Storage } from "@pawl/core/storage"
import type { Tool } from "@pawl/core/tool"
import { findWorktree } from "@pawl/workspace"
import { writtenNeeds } from "./call-needs.ts"
import { recordedAction } from "./recorded-action.ts"

/** A call that would have gone otherwise. */
export interface ReplayedChange {
  readonly session: Session
  readonly message: MessageWithParts
  readonly call: ToolPart
  readonly before: PermissionAction
  readonly decision: PermissionDecision
}

/** How far a replay has come. */
export interface ReplayCount {
  sessions: number
  calls: number
  /** Number of calls without a decision, or with an input that the tool no longer accepts. */
  unjudged: number
}

/** Rules to decide by, and the agents that they create. */
export interface ReplayedRules {
  readonly scopes: readonly PermissionScope[]
  readonly agents: ReadonlyMap<string, Agent>
}

export interface ReplayInput {
  readonly storage: Storage
  /** Newest first. */
  readonly sessions: AsyncIterable<Session> | readonly Session[]
  readonly rules: ReplayedRules
  readonly tools: readonly Tool[]
  /** Epoch milliseconds. */
  readonly since: number
  readonly signal: AbortSignal
}

/** The calls that would have gone otherwise, newest first; `count` is kept up as they are looked at. */
export async function* replay(input: ReplayInput, count: ReplayCount): AsyncGenerator<ReplayedChange> {
  const tools = new Map(input.tools.map((tool) => [tool.name, tool]))
  for await (const session of input.sessions) {
    if (session.time.updated < input.since) continue
    count.sessions++
    const place = { directory: session.directory, worktree: await worktreeOf(session) }
    const above = await readAncestors(input.storage, session)
    for await (const message of input.storage.readMessages(session.id)) {
      input.signal.throwIfAborted()
      if (message.info.time.created < input.since) break
      for (const call of message.parts.filter((part) => part.type === "tool").toReversed()) {
        count.calls++
        const before = recordedAction(call, message)
        const decision =
          before && (await judge(input, { call, message, session, above, place, tool: tools.get(call.tool) }))
        if (!decision) count.unjudged++
        else if (decision.action !== before) yield { session, message, call, before, decision }
      }
    }
  }
}

interface Recorded {
  readonly call: ToolPart
  readonly message: MessageWithParts
  readonly session: Session
  readonly above: readonly Session[]
  readonly place: ToolLocation
  readonly tool: Tool | undefined
}

/** Undefined where the tool cannot say what the call needs. */
async function judge({ rules }: ReplayInput, recorded: Recorded): Promise<PermissionDecision | undefined> {
  const { call, message, session, above, place, tool } = recorded
  const name = message.info.agent
  const agent = rules.agents.get(name) ?? { name }
  const bound = permissionRules({ agents: rules.agents, permission: rules.scopes }, agent, session, above)
  try {
    const needs = await writtenNeeds(tool, call.tool, call.state.input as JSONObject, place)
    return judgeNeeds({ rules: bound, agent: name, approvals: [] }, needs).decisive?.decision
  } catch {
    return undefined
  }
}

async function worktreeOf({ directory }: Session): Promise<string> {
  return (await findWorktree(directory).catch(() => undefined)) ?? directory
}
