import type { EngineEvent, MessageWithParts, Part, Session } from "@pawl/core"
import { isStoredAgain } from "@pawl/core/record"
import { partBlock, requestBlock, withPromptPart } from "./blocks-of.ts"
import { followPart, followStatus, withoutWait } from "./waits.ts"
import { followSubagent } from "./subagents.ts"
import { withContext, withStep } from "./spending.ts"
import type { Block, OpenQuestion, QueuedPrompt, SessionView } from "./view.ts"

/** A change of the view. Times are epoch milliseconds. */
export type Action =
  | { readonly type: "event"; readonly event: EngineEvent; readonly now: number }
  /** Shows a stored session: messages oldest first. */
  | {
      readonly type: "opened"
      readonly session: Session
      readonly messages: readonly MessageWithParts[]
      readonly queue: readonly QueuedPrompt[]
      readonly questions: readonly OpenQuestion[]
      readonly now: number
    }
  /** The first blocks are in the scrollback. */
  | { readonly type: "printed"; readonly count: number }
  | { readonly type: "block"; readonly block: Block }
  | { readonly type: "queue"; readonly queue: readonly QueuedPrompt[] }
  | {
      readonly type: "chosen"
      readonly agent?: string
      readonly model?: SessionView["model"]
      readonly variant?: string | undefined
    }

const REFUSED = "The turn ended with the refusal. Your next prompt goes on from here."
const COMPACTED = "⋯ a summary stands for what is above"

/** How many ids of printed blocks are kept: as many as a step may report again. */
const KEPT_IDS = 300

export function reduce(view: SessionView, action: Action): SessionView {
  switch (action.type) {
    case "event":
      return reduceEvent(view, action.event, action.now)
    case "opened":
      return opened(view, action)
    case "printed":
      return printed(view, action.count)
    case "block":
      return { ...view, blocks: [...view.blocks, action.block] }
    case "queue":
      return { ...view, queue: action.queue }
    case "chosen":
      return { ...view, ...withoutUndefined({ agent: action.agent, model: action.model }), variant: action.variant }
  }
}

function reduceEvent(view: SessionView, event: EngineEvent, now: number): SessionView {
  const { sessionID } = "sessionID" in event.properties ? event.properties : {}
  if (event.type === "permission.asked" || event.type === "question.asked") return asked(view, event, now)
  if (event.type === "permission.replied" || event.type === "question.replied" || event.type === "question.rejected") {
    return { ...view, questions: view.questions.filter(({ request }) => request.id !== event.properties.requestID) }
  }
  if (view.session === undefined || (sessionID !== undefined && sessionID !== view.session.id)) {
    return { ...view, subagents: followSubagent(view, event) }
  }
  switch (event.type) {
    case "session.created":
    case "session.updated":
      return { ...view, session: event.properties.info }
    case "session.status":
      return followStatus(settled(view), event.properties.status, now)
    case "session.idle":
      return followStatus(settled(view), { type: "idle" }, now)
    case "session.compacting":
      if (event.properties.background) return view
      return { ...view, modelWait: { label: "writing a summary", since: now } }
    case "session.compacted":
      return withBlock(withContext(view, event.properties.after), {
        ...{ type: "compaction", id: event.id, about: event.properties, isDone: true },
      })
    case "session.notice":
      return withBlock(view, { type: "notice", id: event.id, text: event.properties.message, isDone: true })
    case "session.error":
      return withError(view, event.id, event.properties.error)
    case "message.updated":
      return followMessage(view, event.properties.info)
    case "message.removed":
      return { ...view, queue: view.queue.filter(({ id }) => id !== event.properties.messageID) }
    case "message.part.updated":
      return followPartEvent(view, event.properties.part, now)
    case "message.part.delta":
      return withDelta(view, event.properties.partID, event.properties.delta)
    case "message.part.removed":
      return withoutWait(withoutBlock(view, event.properties.partID), event.properties.partID)
    case "todo.updated":
      return {
        ...view,
        todos: event.properties.todos.map((todo) => ({
          content: textOf(todo["content"]),
          status: textOf(todo["status"]),
        })),
      }
    default:
      return view
  }
}

function asked(
  view: SessionView,
  event: Extract<EngineEvent, { type: "permission.asked" | "question.asked" }>,
  now: number,
): SessionView {
  if (event.type === "permission.asked" && event.properties.refused) return view
  if (event.properties.rootSessionID !== view.session?.id && event.properties.sessionID !== view.session?.id)
    return view
  const question: OpenQuestion =
    event.type === "permission.asked"
      ? { type: "permission", request: event.properties, since: now }
      : { type: "choice", request: event.properties, since: now }
  const others = view.questions.filter(({ request }) => request.id !== question.request.id)
  return { ...view, questions: [...others, question] }
}

function followMessage(view: SessionView, info: MessageWithParts["info"]): SessionView {
  const isKnown = view.roles.has(info.id)
  if (info.role === "user") {
    const isWaiting = info.delivery?.state === "waiting"
    const roles = new Map(view.roles).set(info.id, isWaiting ? "waiting" : "user")
    if (isWaiting) {
      const queued = { id: info.id, text: "", mode: info.delivery?.mode ?? "queue" }
      return isKnown ? view : { ...view, roles, queue: [...view.queue, queued] }
    }
    const choice = { agent: info.agent, model: info.model, variant: info.variant }
    if (isKnown) return { ...view, ...choice }
    const delivery = info.delivery ? { delivery: info.delivery.mode } : {}
    return withBlock(
      { ...settled(view), ...choice, roles },
      { type: "prompt", id: info.id, text: "", attached: [], isDone: false, ...delivery },
    )
  }
  const isCalled = view.roles.get(info.parentID) === "caller"
  const roles = new Map(view.roles).set(info.id, info.summary ? "summary" : isCalled ? "called" : "assistant")
  return settled(isKnown ? view : { ...view, roles })
}

function followPartEvent(view: SessionView, part: Part, now: number): SessionView {
  if (isStoredAgain(part)) return view
  const role = view.roles.get(part.messageID)
  if (role === "waiting") {
    const queue = view.queue.map((prompt) =>
      prompt.id === part.messageID && part.type === "text" && !part.synthetic ? { ...prompt, text: part.text } : prompt,
    )
    return { ...view, queue }
  }
  if (role === "caller") return view
  if (role === "user") return withRequest(view, part) ?? withPrompt(view, part)
  const waited = followPart(withStep(view, part, role === "summary"), part, now)
  if (role === "summary" && (part.type === "text" || part.type === "reasoning")) return waited
  const block = partBlock(part, role === "called")
  return block ? withBlock(waited, block) : waited
}

/** Replaces the prompt by the call that it asks for. Undefined for a part that asks for none. */
function withRequest(view: SessionView, part: Part): SessionView | undefined {
  const request = requestBlock(part)
  if (!request) return undefined
  const blocks = view.blocks.map((block) => (block.id === part.messageID ? request : block))
  return { ...view, blocks, roles: new Map(view.roles).set(part.messageID, "caller") }
}

function withPrompt(view: SessionView, part: Part): SessionView {
  const blocks = view.blocks.map((block) => {
    return block.type === "prompt" && block.id === part.messageID && !block.isDone ? withPromptPart(block, part) : block
  })
  return { ...view, blocks }
}

/** Ends the user's prompt: what follows it has begun. */
function settled(view: SessionView): SessionView {
  if (!view.blocks.some(({ type, isDone }) => type === "prompt" && !isDone)) return view
  return { ...view, blocks: view.blocks.map((block) => (block.type === "prompt" ? { ...block, isDone: true } : block)) }
}

/** Adds the block, or replaces the one with its id. Ignores what is in the scrollback. */
function withBlock(view: SessionView, block: Block): SessionView {
  if (view.printed.includes(block.id)) return view
  const at = view.blocks.findIndex(({ id }) => id === block.id)
  if (at < 0) return { ...view, blocks: [...view.blocks, block] }
  return { ...view, blocks: view.blocks.with(at, block) }
}

/** Removes a block of a failed attempt. A text is ended instead, because its beginning may be in the scrollback. */
function withoutBlock(view: SessionView, id: string): SessionView {
  const at = view.blocks.findIndex((block) => block.id === id)
  const block = view.blocks[at]
  if (!block) return view
  if (block.type === "text" && block.text !== "")
    return { ...view, blocks: view.blocks.with(at, { ...block, isDone: true }) }
  return { ...view, blocks: view.blocks.toSpliced(at, 1) }
}

function withDelta(view: SessionView, id: string, delta: string): SessionView {
  const at = view.blocks.findLastIndex((block) => block.id === id)
  const block = view.blocks[at]
  if (block?.type !== "text" && block?.type !== "reasoning") return view
  const first = view.modelWait ? { modelWait: undefined } : {}
  return { ...view, ...first, blocks: view.blocks.with(at, { ...block, text: block.text + delta }) }
}

function withError(
  view: SessionView,
  id: string,
  error: { readonly name: string; readonly data: { readonly message: string } },
): SessionView {
  if (error.name === "MessageAbortedError")
    return withBlock(view, {
      type: "notice",
      id,
      text: "Interrupted. Your next prompt goes on from here.",
      isDone: true,
    })
  // The call says it already.
  if (error.name === "PermissionDeniedError")
    return withBlock(view, { type: "notice", id, text: REFUSED, isDone: true })
  return withBlock(view, { type: "error", id, message: error.data.message, isDone: true })
}

function printed(view: SessionView, count: number): SessionView {
  const ids = view.blocks.slice(0, count).map(({ id }) => id)
  return { ...view, blocks: view.blocks.slice(count), printed: [...view.printed, ...ids].slice(-KEPT_IDS) }
}

function opened(
  view: SessionView,
  { session, messages, queue, questions, now }: Extract<Action, { type: "opened" }>,
): SessionView {
  let next: SessionView = { ...view, session }
  for (const { info, parts } of messages) {
    next = followMessage(next, info)
    for (const part of parts) next = followPartEvent(next, part, now)
    if (info.role === "user" && parts.some(({ type }) => type === "compaction")) {
      next = withBlock(next, { type: "notice", id: `${info.id}-compaction`, text: COMPACTED, isDone: true })
    }
    if (info.role === "assistant" && info.error) next = withError(next, `${info.id}-error`, info.error)
  }
  const { agent, model, variant } = session
  const blocks = next.blocks.map((block): Block => (block.type === "prompt" ? { ...block, isDone: true } : block))
  return {
    ...next,
    ...withoutUndefined({ agent: agent ?? next.agent, model: model ?? next.model }),
    ...{ variant: variant ?? next.variant, blocks, queue, questions, modelWait: undefined },
  }
}

function withoutUndefined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : ""
}
