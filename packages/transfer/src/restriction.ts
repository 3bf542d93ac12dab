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

/** How sessions from elsewhere are continued here. */
export interface Continuation {
  /** The agent that takes the place of one of the document: itself if it may do no more than a new session's would. */
  readonly agent: (name: string) => string
  /** The directory that takes the place of one of the document. */
  readonly directory: (path: string) => string
}

/** The agent of sessions that name none. */
const DEFAULT_AGENT = "build"

/** Of the engine's own agents those stay that do no more than the default; directories stay. */
export const defaultContinuation: Continuation = {
  agent(name) {
    const sources = { agents: new Map(builtinAgents.map((agent) => [agent.name, agent])), permission: [] }
    return isNoWider(sources, name, DEFAULT_AGENT) ? name : DEFAULT_AGENT
  },
  directory: (path) => path,
}

/** What is stored of a session that was written elsewhere. */
export interface Restriction {
  readonly session: Session
  /** To be called with each message, newest first. Undefined for one that is left out. */
  message(message: MessageWithParts): MessageWithParts | undefined
  /** So far. */
  readonly dropped: readonly Dropped[]
}

/**
 * Leaves out what would act here although only its author wants it: what is allowed, who works, and what would be done as
 * soon as the session is continued. What denies or asks stays. The same each time, and nothing for what is restricted.
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
  const { approvals = [], share, revert, permission, metadata, agent, ...session } = given
  for (const { agent: by, permission: of, pattern } of approvals) drop("approval", `${of} ${quoted(pattern)} (${by})`)
  const rules = permission?.filter(({ action }) => action !== "allow")
  for (const { action, permission: of, pattern } of permission ?? []) {
    if (action === "allow") drop("rule", `${of} ${quoted(pattern)}`)
  }
  if (share) drop("share", share.url)
  if (revert) drop("revert", revert.messageID)
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

/** Set while a session is being forked: it is shown nowhere. */
const UNFINISHED_FORK = "unfinishedFork"

/** `here`: for a prompt that is answered as soon as the session is continued. */
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

function restrictedPart(part: Part, drop: Drop): Part {
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

/** The tool by which the user has a plan carried out; its result names the agent that takes over. */
const PLAN_EXIT = "plan_exit"
const SWITCH = "switchAgent"

/** A subagent that the user names works without being asked for, so only the words stay. */
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
