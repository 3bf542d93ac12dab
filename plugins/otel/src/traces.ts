import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from "@opentelemetry/api"
import {
  type AssistantMessage,
  type MessageWithParts,
  type Part,
  type Session,
  type SessionID,
  spentByCall,
  type ToolPart,
} from "@pawl/core/record"
import { callAttributes } from "./measurements.ts"
import { answerTimes, callTimes, isModelAnswer } from "./step-times.ts"
import { toolName } from "./tool-name.ts"

/**
 * A trace per prompt:
 *
 *     invoke_agent build
 *     ├─ chat acme/large           a request, with its duration
 *     ├─ execute_tool read         a call
 *     └─ invoke_agent explore      a subagent's session
 */
export interface Traces {
  /** Returns true while the session has an open span. */
  isOpen(sessionID: SessionID): boolean
  /** Opens a span for the session, started at `since` (epoch milliseconds). Does nothing if it has one. */
  began(session: Pick<Session, "id" | "parentID">, since: number): void
  /** Records a complete message. */
  answered(message: MessageWithParts<AssistantMessage>): void
  failed(sessionID: SessionID, error: string): void
  ended(sessionID: SessionID): void
  /** Ends all open spans. */
  close(): void
}

/** `above` is the parent of sessions without a parent. */
export function createTraces(tracer: Tracer, above: Context = ROOT_CONTEXT): Traces {
  const open = new Map<SessionID, Span>()
  const within = (span: Span | undefined) => (span ? trace.setSpan(ROOT_CONTEXT, span) : above)

  function request(message: MessageWithParts<AssistantMessage>, parent: Context): void {
    const { info, parts } = message
    const { start, end } = answerTimes(message)
    const options = { kind: SpanKind.CLIENT, startTime: new Date(start), attributes: requestAttributes(info) }
    const span = tracer.startSpan(`chat ${info.providerID}/${info.modelID}`, options, parent)
    for (const part of parts) addRetry(span, part)
    if (info.error) setFailed(span, info.error.name)
    span.end(new Date(end))
  }

  function call(part: ToolPart, cost: number, info: AssistantMessage, parent: Context): void {
    const times = callTimes(part)
    if (!times) return
    const attributes = {
      ...{ "gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.id": part.callID, ...callAttributes(part) },
      ...{ "gen_ai.conversation.id": info.sessionID, "gen_ai.agent.name": info.agent, "pawl.tool.cost": cost },
    }
    const options = { kind: SpanKind.INTERNAL, startTime: new Date(times.start), attributes }
    const span = tracer.startSpan(`execute_tool ${toolName(part.tool)}`, options, parent)
    if (part.state.status === "error") span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(new Date(times.end))
  }

  return {
    isOpen: (sessionID) => open.has(sessionID),
    began({ id, parentID }, since) {
      if (open.has(id)) return
      const attributes = { "gen_ai.operation.name": "invoke_agent", "gen_ai.conversation.id": id }
      const options = { kind: SpanKind.INTERNAL, startTime: new Date(since), attributes }
      open.set(id, tracer.startSpan("invoke_agent", options, within(parentID && open.get(parentID))))
    },
    answered(message) {
      const { info } = message
      const turn = open.get(info.sessionID)
      turn?.updateName(`invoke_agent ${info.agent}`).setAttribute("gen_ai.agent.name", info.agent)
      const parent = within(turn)
      if (isModelAnswer(message)) request(message, parent)
      for (const { call: part, spent } of spentByCall(message)) call(part, spent.cost, info, parent)
    },
    failed(sessionID, error) {
      const turn = open.get(sessionID)
      if (turn) setFailed(turn, error)
    },
    ended(sessionID) {
      open.get(sessionID)?.end(new Date())
      open.delete(sessionID)
    },
    close() {
      for (const span of open.values()) span.end(new Date())
      open.clear()
    },
  }
}

function requestAttributes(info: AssistantMessage): Attributes {
  const { input, output, reasoning, cache } = info.tokens
  return {
    ...{ "gen_ai.operation.name": "chat", "gen_ai.conversation.id": info.sessionID, "gen_ai.agent.name": info.agent },
    ...{ "gen_ai.provider.name": info.providerID, "gen_ai.request.model": info.modelID },
    "gen_ai.usage.input_tokens": input + cache.read + cache.write,
    "gen_ai.usage.output_tokens": output + reasoning,
    "gen_ai.usage.cache_read.input_tokens": cache.read,
    "gen_ai.usage.cache_creation.input_tokens": cache.write,
    ...{ "pawl.cost": info.cost, "pawl.purpose": info.summary ? "compaction" : "step" },
    ...(info.finish === undefined ? {} : { "gen_ai.response.finish_reasons": [info.finish] }),
  }
}

function addRetry(span: Span, part: Part): void {
  if (part.type !== "retry") return
  const { attempt, kind = "unknown", time, cost = 0 } = part
  span.addEvent("retry", { "pawl.attempt": attempt, "error.type": kind, "pawl.cost": cost }, new Date(time.created))
  // The fallback model continues in another message.
  if (part.fallback) setFailed(span, kind)
}

/** Records only the error's name, because its message may contain anything. */
function setFailed(span: Span, error: string): void {
  span.setAttribute("error.type", error).setStatus({ code: SpanStatusCode.ERROR })
}
