import { hidePasswords } from "@pawl/config/hide-passwords"
import type { EngineEvent } from "@pawl/core"
import { type Part, toStoredError } from "@pawl/core/record"
import { maskedStrings, type Secrets } from "@pawl/secrets"
import type { Output } from "../output/output.ts"
import { createDeliveries } from "@pawl/runtime/run/deliveries"
import type { RunError, RunView } from "./run-view.ts"

export interface JSONViewOptions {
  readonly stdout: Output
  readonly stderr: Output
  readonly secrets?: Pick<Secrets, "mask"> | undefined
  /** Adds lines of type `reasoning`. */
  readonly showsThinking?: boolean | undefined
  /** Epoch milliseconds. */
  readonly now: () => number
}

/**
 * Prints one JSON object per line to stdout: `{type, timestamp, sessionID, part}`, or `error` instead of `part`. Types:
 * `step_start` (with `model` and `variant`), `text` (whole texts), `reasoning` if requested, `tool_use` (completed or failed),
 * `step_finish` (also of a summary), `retry` (a failed attempt with its usage), `usage` (other requests: the title, requests of
 * tools), `error`. Other events have their facts instead of `part`: see `BESIDE`, and `queued`, `delivered`, `lease_wait`,
 * `permission_refused`. Of child sessions, questions and refusals are printed.
 */
export function createJSONView({ stdout, stderr, secrets, showsThinking, now }: JSONViewOptions): RunView {
  const print = (type: string, sessionID: string | undefined, content: object) =>
    stdout.write(eventLine(type, now(), sessionID, content))
  const deliveries = createDeliveries()
  let answering: { model: string; variant?: string } | undefined
  return {
    isForPeople: false,
    handle(event, subagent) {
      const beside = besideWork(event)
      if (beside) print(beside.type, beside.sessionID, masked(beside.facts, secrets))
      if (subagent) {
        const refused = refusal(event)
        if (refused) print("permission_refused", subagent.sessionID, masked(refused, secrets))
        return
      }
      answering = answeredBy(event) ?? answering
      const part = finishedPart(event)
      const type = part && lineType(part)
      const isShown = type && (type !== "reasoning" || showsThinking === true)
      if (isShown) print(type, part.sessionID, { part: withoutHead(part), ...(type === "step_start" ? answering : {}) })
      const delivered = deliveries.follow(event)
      if (delivered) print("delivered", delivered.part.sessionID, delivered)
    },
    notice: (text) => stderr.write(`${secrets?.mask(text) ?? text}\n`),
    error: (error, sessionID) => print("error", sessionID, { error: withoutSecrets(error, secrets) }),
    waiting(sessionID, holder) {
      if (holder) print("lease_wait", sessionID, { remaining: Math.ceil(holder.remaining), process: holder.process })
    },
    queued: ({ sessionID, ...facts }) => print("queued", sessionID, facts),
    // This view prints no questions.
    ask: (_lines, answer) => answer(),
    end: () => {},
  }
}

/** Returns the line of an error before the session exists. */
export function errorLine(error: unknown, now: number, secrets?: Pick<Secrets, "mask">): string {
  const stored = toStoredError(error)
  // Stored errors have fewer kinds than the errors before a session.
  const name = stored.name === "UnknownError" && error instanceof Error ? error.name : stored.name
  return eventLine("error", now, undefined, { error: { ...withoutSecrets(stored, secrets), name } })
}

function withoutSecrets<E extends RunError>(error: E, secrets: JSONViewOptions["secrets"]): E {
  return { ...error, data: masked(error.data, secrets) }
}

function masked<T>(value: T, secrets: JSONViewOptions["secrets"]): T {
  return maskedStrings(value, (text) => hidePasswords(secrets?.mask(text) ?? text))
}

function eventLine(type: string, timestamp: number, sessionID: string | undefined, content: object): string {
  return `${JSON.stringify({ type, timestamp, sessionID, ...content })}\n`
}

function finishedPart(event: EngineEvent): Part | undefined {
  return event.type === "message.part.updated" ? event.properties.part : undefined
}

/** Removes the system prompt that a step stores: it is not part of the event. */
function withoutHead(part: Part): Part {
  if (part.type !== "step-start" || !part.head) return part
  const { head: _head, ...rest } = part
  return rest
}

/** Returns the model of the step that begins. */
function answeredBy(event: EngineEvent): { model: string; variant?: string } | undefined {
  if (event.type !== "message.updated" || event.properties.info.role !== "assistant") return undefined
  const { providerID, modelID, variant } = event.properties.info
  return { model: `${providerID}/${modelID}`, ...(variant === undefined ? {} : { variant }) }
}

function lineType(part: Part): string | undefined {
  switch (part.type) {
    case "step-start":
      return "step_start"
    case "step-finish":
      return "step_finish"
    case "retry":
      return "retry"
    case "usage":
      return "usage"
    case "text":
      // A prompt, and a text that is still streaming, has no end time.
      return part.time?.end === undefined ? undefined : "text"
    case "reasoning":
      return part.time.end === undefined ? undefined : "reasoning"
    case "tool":
      return part.state.status === "completed" || part.state.status === "error" ? "tool_use" : undefined
    default:
      return undefined
  }
}

function besideWork(event: EngineEvent): { type: string; sessionID: string; facts: object } | undefined {
  const type = BESIDE.get(event.type)
  if (type === undefined || !("sessionID" in event.properties)) return undefined
  const { sessionID, ...facts } = event.properties
  return sessionID === undefined ? undefined : { type, sessionID, facts }
}

const BESIDE: ReadonlyMap<EngineEvent["type"], string> = new Map([
  ["session.compacting", "compacting"],
  ["session.compacted", "compacted"],
  ["session.waiting", "waiting"],
  ["cache.bust", "cache_bust"],
  ["session.notice", "notice"],
  ["permission.asked", "permission_asked"],
  ["permission.replied", "permission_replied"],
  ["question.asked", "question_asked"],
  ["question.replied", "question_replied"],
  ["question.rejected", "question_rejected"],
] as const)

/** Returns the refused call that ended a child session. */
function refusal(event: EngineEvent): object | undefined {
  if (event.type !== "message.updated" || event.properties.info.role !== "assistant") return undefined
  const { id: messageID, error } = event.properties.info
  return error?.name === "PermissionDeniedError" ? { messageID, ...error.data } : undefined
}
