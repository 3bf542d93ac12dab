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
} from "@pawl/core"
import { callAttributes } from "./measurements.ts"
import { isAsked, spanOfCall, spanOfRequest } from "./step-times.ts"

/**
 * One trace for each prompt:
 *
 *     invoke_agent build
 *     ├─ chat acme/large           a request, with what it took
 *     ├─ execute_tool read         a call
 *     └─ invoke_agent explore      a subagent's session
 */
export interface Traces {
  /** A session is at work. Nothing happens where it is known to be. */
  began(session: Pick<Session, "id" | "parentID">): void
  /** A message is complete. */
  answered(message: MessageWithParts<AssistantMessage>): void
  failed(sessionID: SessionID, error: string): void
  ended(sessionID: SessionID): void
  /** Ends what is under way. */
  close(): void
}

/** `above`: what a session without a parent is part of. */
export function createTraces(tracer: Tracer, above: Context = ROOT_CONTEXT): Traces {
  const open = new Map<SessionID, Span>()
  const within = (span: Span | undefined) => (span ? trace.setSpan(ROOT_CONTEXT, span) : above)

  function request(message: MessageWithParts<AssistantMessage>, parent: Context): void {
    const { info, parts } = message
    const { end } = spanOfRequest(message)
    const model = `${info.providerID}/${info.modelID}`
    const options = {
      kind: SpanKind.CLIENT,
      startTime: new Date(info.time.created),
      attributes: requestAttributes(info),
    }
    const span = tracer.startSpan(`chat ${model}`, options, parent)
    for (const part of parts) addRetry(span, part)
    if (info.error) setFailed(span, info.error.name)
    span.end(new Date(end))
  }

  return {
    began({ id, parentID }) {
      if (open.has(id)) return
      const attributes = { "gen_ai.operation.name": "invoke_agent", "gen_ai.conversation.id": id }
      const parent = within(parentID && open.get(parentID))
      open.set(id, tracer.startSpan("invoke_agent", { kind: SpanKind.INTERNAL, attributes }, parent))
    },
    answered(message) {
      const { info } = message
      const turn = open.get(info.sessionID)
      turn?.updateName(`invoke_agent ${info.agent}`).setAttribute("gen_ai.agent.name", info.agent)
      const parent = within(turn)
      if (isAsked(message)) request(message, parent)
      for (const { call, spent } of spentByCall(message)) {
        const times = spanOfCall(call)
        if (!times) continue
        const attributes = {
          ...{ "gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.id": call.callID, ...callAttributes(call) },
          ...{
            "gen_ai.conversation.id": info.sessionID,
            "gen_ai.agent.name": info.agent,
            "pawl.tool.cost": spent.cost,
          },
        }
        const options = { kind: SpanKind.INTERNAL, startTime: new Date(times.start), attributes }
        const span = tracer.startSpan(`execute_tool ${call.tool}`, options, parent)
        if (call.state.status === "error") span.setStatus({ code: SpanStatusCode.ERROR })
        span.end(new Date(times.end))
      }
    },
    failed(sessionID, error) {
      const turn = open.get(sessionID)
      if (turn) setFailed(turn, error)
    },
    ended(sessionID) {
      open.get(sessionID)?.end()
      open.delete(sessionID)
    },
    close() {
      for (const span of open.values()) span.end()
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
}

/** Names alone: what an error says may hold anything. */
function setFailed(span: Span, error: string): void {
  span.setAttribute("error.type", error).setStatus({ code: SpanStatusCode.ERROR })
}
