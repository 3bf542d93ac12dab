import { builtinAgents } from "@pawl/core"
import { isNoWider } from "@pawl/core/permission"
import {
  isAnswered,
  type MessageWithParts,
  type Part,
  type Session,
  settledMessage,
  type ToolPart,
  type UserMessage,
} from "@pawl/core/record"
import type { Dropped, DroppedKind } from "./dropped.ts"
import { isObject, without } from "./json.ts"

/** How foreign sessions are continued here. */
export interface Continuation {
  /** Returns the agent to use: the same one if it has no more rights than the agent of a new session. */
  readonly agent: (name: string) => string
  /** Returns the directory to use. */
  readonly directory: (path: string) => string
}

/** Agent of sessions without an agent. */
const DEFAULT_AGENT = "build"

/** Keeps built-in agents that have no more rights than the default, and keeps directories. */
export const defaultContinuation: Continuation = {
  agent(name) {
    const sources = { agents: new Map(builtinAgents.map((agent) => [agent.name, agent])), permission: [] }
    return isNoWider(sources, name, DEFAULT_AGENT) ? name : DEFAULT_AGENT
  },
  directory: (path) => path,
}

/** Restricts a foreign session. */
export interface Restriction {
  readonly session: Session
  /** Call it with each message, newest first. Returns undefined if the message is left out. */
  message(message: MessageWithParts): MessageWithParts | undefined
  /** Everything that was dropped so far. */
  readonly dropped: readonly Dropped[]
}

/**
 * Drops what would act here only because the document's author wants it: approvals, agents, and actions that would
 * start when the session is continued. Keeps what denies or asks. Deterministic; does not change a session that is
 * restricted already.
 */
export function restrict(given: Session, here: Continuation): Restriction {
  const dropped: Dropped[] = []
  const drop = (kind: DroppedKind, what: string) => void dropped.push({ sessionID: given.id, kind, what })
  const session = restrictedSession(given, here, drop)
  const answers: MessageWithParts[] = []
  let isNewest = true

  function message(written: MessageWithParts): MessageWithParts | undefined {
    const settled = settledMessage(written, given.time.updated)
    for (const part of written.parts) if (isOpenCall(part)) drop("call", part.tool)
    const { info, parts } = settled
    if (info.role === "assistant") {
      if (isNewest) answers.push(settled)
      return { info, parts: parts.map((part) => restrictedPart(part, drop)) }
    }
    if (info.delivery?.state === "waiting") {
      drop("prompt", info.id)
      return undefined
    }
    const isRequest = parts.every(({ type }) => type !== "compaction")
    const isPending = isRequest && isNewest && !answers.some((answer) => isAnswered(settled, answer))
    if (isRequest) isNewest = false
    const own = parts.flatMap((part) => {
      const kept = isPending ? unansweredPart(part, drop) : part
      return kept ? [restrictedPart(kept, drop)] : []
    })
    return { info: restrictedInfo(info, isPending ? here : undefined, drop), parts: own }
  }

  return { session, message, dropped }
}

type Drop = (kind: DroppedKind, what: string) => void

function restrictedSession(given: Session, here: Continuation, drop: Drop): Session {
  const { approvals = [], share, revert, undo, undoNotice: _undoNotice, ...others } = given
  const { permission, metadata, agent, ...session } = others
  for (const { agent: by, permission: of, pattern } of approvals) drop("approval", `${of} ${quoted(pattern)} (${by})`)
  const rules = permission?.filter(({ action }) => action !== "allow")
  for (const { action, permission: of, pattern } of permission ?? []) {
    if (action === "allow") drop("rule", `${of} ${quoted(pattern)}`)
  }
  if (share) drop("share", share.url)
  if (revert ?? undo) drop("revert", revert?.messageID ?? "files")
  const next = here.agent(agent ?? DEFAULT_AGENT)
  if (next !== (agent ?? DEFAULT_AGENT)) drop("agent", `${agent ?? DEFAULT_AGENT}, in its place ${next}`)
  const directory = here.directory(session.directory)
  if (directory !== session.directory) drop("directory", `${session.directory}, in its place ${directory}`)
  return {
    ...{ ...session, directory },
    ...(agent === undefined && next === DEFAULT_AGENT ? {} : { agent: next }),
    ...(rules && (rules.length > 0 || permission?.length === 0) ? { permission: rules } : {}),
    ...(metadata ? { metadata: without(metadata, [UNFINISHED_FORK]) } : {}),
  }
}

/** Set while a session is being forked and hidden. */
const UNFINISHED_FORK = "unfinishedFork"

/** `here` is set for a prompt that will be answered when the session is continued. */
function restrictedInfo(given: UserMessage, here: Continuation | undefined, drop: Drop): UserMessage {
  const { system, tools, ...info } = given
  if (system !== undefined) drop("system", `of the prompt ${given.id}`)
  const switches = Object.entries(tools ?? {})
  for (const [tool, isOn] of switches) if (isOn) drop("tool", tool)
  const off = switches.filter(([, isOn]) => !isOn)
  const agent = here ? here.agent(given.agent) : given.agent
  if (agent !== given.agent) drop("agent", `${given.agent} of an unanswered prompt, in its place ${agent}`)
  return {
    ...info,
    agent,
    ...(tools && (off.length > 0 || switches.length === 0) ? { tools: Object.fromEntries(off) } : {}),
  }
}

/** A recorded change would let an undo write and remove files here. */
function withoutChanges(part: Part, drop: Drop): Part {
  if ((part.type !== "tool" && part.type !== "patch") || !part.changes) return part
  const { changes, ...rest } = part
  for (const { path } of changes) drop("change", path)
  return rest
}

function restrictedPart(given: Part, drop: Drop): Part {
  const part = withoutChanges(given, drop)
  if (part.type === "step-start" && part.head) {
    const { head: _, ...step } = part
    drop("system", `of the step ${part.id}`)
    return step
  }
  if (part.type !== "tool" || part.tool !== PLAN_EXIT || part.state.status !== "completed") return part
  const { state } = part
  if (!isObject(state.metadata) || state.metadata[SWITCH] === undefined) return part
  drop("plan", `for the agent ${JSON.stringify(state.metadata[SWITCH])}`)
  return { ...part, state: { ...state, metadata: without(state.metadata, [SWITCH]) } }
}

/** The tool with which a user approves a plan. Its result names the next agent. */
const PLAN_EXIT = "plan_exit"
const SWITCH = "switchAgent"

/** A mentioned subagent would start without a question, so keep only the text. */
function unansweredPart(part: Part, drop: Drop): Part | undefined {
  if (part.type === "agent") {
    drop("mention", part.name)
    return undefined
  }
  if (part.type !== "subtask") return part
  const { id, sessionID, messageID, agent, prompt } = part
  drop("subtask", agent)
  return { id, sessionID, messageID, type: "text", text: prompt }
}

function isOpenCall(part: Part): part is ToolPart {
  return part.type === "tool" && (part.state.status === "pending" || part.state.status === "running")
}

function quoted(text: string): string {
  return JSON.stringify(text)
}
