import type { JSONObject } from "./json.ts"

/**
 * Kinds of a provider's failure, decided in its adapter. `transport`: the request was not sent. `incomplete-stream`:
 * the answer ended before its finish. `overflow`: the request does not fit the model's window.
 */
export const PROVIDER_ERROR_KINDS = [
  "transient",
  "rate-limited",
  "quota-exhausted",
  "auth",
  "overflow",
  "content-policy",
  "invalid-request",
  "incomplete-stream",
  "transport",
  "unknown",
] as const

export type ProviderErrorKind = (typeof PROVIDER_ERROR_KINDS)[number]

export interface ProviderErrorDetails {
  readonly providerID?: string | undefined
  readonly statusCode?: number | undefined
  readonly responseHeaders?: Readonly<Record<string, string>> | undefined
  readonly responseBody?: string | undefined
  /** Wait that the server asks for, in milliseconds from its answer. */
  readonly retryAfter?: number | undefined
  /**
   * For an overflow: the tokens that the server allows and those of the refused request, as far as its message names
   * them.
   */
  readonly limit?: number | undefined
  readonly requested?: number | undefined
}

export class ProviderError extends Error {
  override readonly name = "ProviderError"
  readonly kind: ProviderErrorKind
  readonly details: ProviderErrorDetails
  constructor(kind: ProviderErrorKind, message: string, details: ProviderErrorDetails = {}, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
    this.details = details
  }
}

/** Thrown when a run that no longer owns its session writes: another run has taken its lease. Nothing was written. */
export class StaleLeaseError extends Error {
  override readonly name = "StaleLeaseError"
  constructor(sessionID: string) {
    super(`The lease on session ${sessionID} was lost to another run; nothing was written.`)
  }
}

/** Thrown when another run holds the session. */
export class SessionBusyError extends Error {
  override readonly name = "SessionBusyError"
  readonly sessionID: string
  /** The owner of the session's lease, if the storage knows it. */
  readonly holder: LeaseHolder | undefined
  /** `this engine`: the session has a run here. */
  constructor(sessionID: string, holder?: LeaseHolder | "this engine") {
    const isHere = holder === "this engine"
    super(
      isHere
        ? `Session ${sessionID} is at work. Wait until its turn has ended, or abort it.`
        : `Session ${sessionID} is being worked on by another process${holderAdvice(holder)}`,
    )
    this.sessionID = sessionID
    this.holder = isHere ? undefined : holder
  }
}

function holderAdvice(holder: LeaseHolder | undefined): string {
  const { process, remaining = 0, isAlive = true } = holder ?? {}
  const name = process ? ` (pid ${process.pid} on ${process.host})` : ""
  if (isAlive) return `. Wait for it to finish, or end that process${name}.`
  const seconds = Math.ceil(remaining / 1000)
  return `${name}. Wait for it to finish. If that process is gone, its lease ends in ${seconds} s.`
}

/** Thrown when a session without messages is to be compacted. */
export class EmptySessionError extends Error {
  override readonly name = "EmptySessionError"
  readonly sessionID: string
  constructor(sessionID: string) {
    super(`Nothing was said in session ${sessionID} yet: there is nothing to compact.`)
    this.sessionID = sessionID
  }
}

export class NotFoundError extends Error {
  override readonly name = "NotFoundError"
}

/** Thrown when the caller may not choose this agent. `choices`: the agents that the caller may choose. */
export class UnsuitableAgentError extends Error {
  override readonly name = "UnsuitableAgentError"
  readonly agent: string
  readonly choices: readonly string[]
  constructor(agent: string, reason: string, choices: readonly string[]) {
    super(`${reason} To choose from: ${choices.join(", ") || "none"}.`)
    this.agent = agent
    this.choices = choices
  }
}

/** Thrown when work cannot be handed to a subagent; no work was started. The model reads the message. */
export class DelegationError extends Error {
  override readonly name = "DelegationError"
}

/** Thrown when the arguments of a tool call do not fit the tool. The model reads the message. */
export class ToolInputError extends Error {
  override readonly name = "ToolInputError"
}

/** The rule behind a refusal, with its scope and the place where it is written. */
export interface RefusingRule extends JSONObject {
  readonly permission: string
  readonly pattern: string
  readonly action: "allow" | "ask" | "deny"
  readonly scope: string
  readonly file?: string
  readonly line?: number
}

export interface Refusal {
  readonly permission: string
  readonly pattern: string
  /** The tool whose call was refused. */
  readonly tool: string
  /** Missing if no rule matched. */
  readonly rule?: RefusingRule | undefined
  /**
   * `rule`: an explicit deny; the model may try something else. `feedback`: the user said what to do instead, which the
   * model reads. `asked`: the user did not allow it; the run stops.
   */
  readonly decidedBy: "rule" | "feedback" | "asked"
}

/** Thrown when a permission rule, a hook or the user refuses a tool call. */
export class PermissionDeniedError extends Error implements Refusal {
  override readonly name = "PermissionDeniedError"
  readonly permission: string
  readonly pattern: string
  readonly tool: string
  readonly rule: RefusingRule | undefined
  readonly decidedBy: Refusal["decidedBy"]
  constructor(message: string, refusal: Refusal) {
    super(message)
    this.permission = refusal.permission
    this.pattern = refusal.pattern
    this.tool = refusal.tool
    this.rule = refusal.rule
    this.decidedBy = refusal.decidedBy
  }
}

/** Thrown when a question can no longer be answered: it was answered, or the call no longer needs an answer. */
export class QuestionClosedError extends Error {
  override readonly name = "QuestionClosedError"
  readonly questionID: string
  constructor(questionID: string, reason: string) {
    super(`Question ${questionID} is closed: ${reason}`)
    this.questionID = questionID
  }
}

/** Thrown when the question of a call was not answered. The model reads the message. */
export class UnansweredError extends Error {
  override readonly name = "UnansweredError"
}

/**
 * Thrown when the next request does not fit the model's window and no allowed measure makes it fit. Token counts are
 * estimates.
 */
export class ContextOverflowError extends Error {
  override readonly name = "ContextOverflowError"
  readonly size: ContextSize
  constructor(message: string, size: ContextSize, options?: ErrorOptions) {
    super(message, options)
    this.size = size
  }
}

/** Thrown when the model reached its output limit before its answer was complete. */
export class OutputLengthError extends Error {
  override readonly name = "OutputLengthError"
}

/** Thrown when the model repeats itself. `nudge`: the model reads the message and continues; `stop`: the run ends. */
export class RepetitionError extends Error {
  override readonly name = "RepetitionError"
  readonly response: "nudge" | "stop"
  constructor(message: string, response: "nudge" | "stop") {
    super(message)
    this.response = response
  }
}

/** All in tokens. `usable`: the limit for a request. */
export interface ContextSize {
  readonly tokens: number
  readonly system: number
  readonly tools: number
  readonly messages: number
  readonly media: number
  readonly usable: number
}

/** Thrown when a plugin's hook fails or leaves its draft in a shape that its row in the hook map does not allow. */
export class HookError extends Error {
  override readonly name = "HookError"
  readonly plugin: string
  readonly hook: string
  constructor(plugin: string, hook: string, reason: string, options?: ErrorOptions) {
    super(`Plugin "${plugin}" failed in hook "${hook}": ${reason}`, options)
    this.plugin = plugin
    this.hook = hook
  }
}

/**
 * Thrown when the storage cannot do what was requested: full disk, missing rights, damaged file. `message` names the
 * next step.
 */
export class StorageError extends Error {
  override readonly name = "StorageError"
}

/** An error as it is stored with a message and sent in events. */
export interface StoredError {
  readonly name:
    | "ProviderAuthError"
    | "MessageOutputLengthError"
    | "MessageAbortedError"
    | "ContextOverflowError"
    | "ContentFilterError"
    | "APIError"
    | "PermissionDeniedError"
    | "RepetitionError"
    | "UnknownError"
  readonly data: JSONObject & { readonly message: string }
}

/** Characters. Proxies answer with whole pages, and messages are to stay small in the storage. */
const MAX_BODY_LENGTH = 16_384

/** Converts a thrown value to a stored error. The only place that does. A long `responseBody` is cut. */
export function toStoredError(error: unknown): StoredError {
  if (error instanceof ProviderError) return fromProvider(error)
  if (error instanceof PermissionDeniedError) {
    const { name, message, permission, pattern, tool, rule } = error
    return { name, data: { message, permission, pattern, tool, ...(rule ? { rule } : {}) } }
  }
  if (error instanceof ContextOverflowError)
    return { name: error.name, data: { message: error.message, ...error.size } }
  if (error instanceof OutputLengthError) return { name: "MessageOutputLengthError", data: { message: error.message } }
  if (error instanceof RepetitionError) return { name: error.name, data: { message: error.message } }
  if (isAbort(error)) return { name: "MessageAbortedError", data: { message: "The run was aborted." } }
  return { name: "UnknownError", data: { message: messageOf(error) } }
}

const WORDLESS = "A value without words was thrown."

/** Returns the message of any thrown value. Never throws itself. */
export function messageOf(error: unknown): string {
  try {
    const issues = issuesOf(error)
    if (issues !== undefined) return issues
    const message: unknown = typeof error === "object" && error !== null && "message" in error ? error.message : error
    const words = String(message)
    if (words !== "[object Object]") return words
    // Some libraries throw the parsed answer of a server.
    const text: string | undefined = JSON.stringify(message)
    return text ?? WORDLESS
  } catch {
    return WORDLESS
  }
}

interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** Issues that are listed; the others are counted. */
const MAX_ISSUES = 5

/**
 * Formats the issues of a zod error from any copy of zod, because zod's own message is JSON. Undefined for values that
 * only look like a zod error.
 */
function issuesOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !/^\$?ZodError$/.test(error.name) || !("issues" in error)) return undefined
  const { issues } = error
  if (!Array.isArray(issues) || issues.length === 0 || !issues.every(isIssue)) return undefined
  const shown = issues.slice(0, MAX_ISSUES).map(({ path, message }) => {
    return path.length > 0 ? `${path.map(String).join(".")}: ${message}` : message
  })
  const left = issues.length - shown.length
  return [...shown, ...(left > 0 ? [`and ${left} more`] : [])].join("; ")
}

function isIssue(value: unknown): value is Issue {
  const { path, message } = (value ?? {}) as Partial<Record<keyof Issue, unknown>>
  return Array.isArray(path) && typeof message === "string"
}

export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError"
}

/**
 * Returns what aborted work throws: the signal's reason if it is an AbortError, else an AbortError with the reason as
 * its cause.
 */
export function abortError(signal: AbortSignal): Error {
  const reason: unknown = signal.reason
  if (reason instanceof Error && reason.name === "AbortError") return reason
  return new DOMException("The request was aborted.", { name: "AbortError", cause: reason })
}

function fromProvider(error: ProviderError): StoredError {
  const { message, details } = error
  const responseBody = shortened(details.responseBody)
  switch (error.kind) {
    case "auth":
      return { name: "ProviderAuthError", data: { message, providerID: details.providerID } }
    case "overflow":
      return { name: "ContextOverflowError", data: { message, responseBody } }
    case "content-policy":
      return { name: "ContentFilterError", data: { message } }
    default:
      return {
        name: "APIError",
        data: {
          message,
          kind: error.kind,
          statusCode: details.statusCode,
          isRetryable: ["transient", "rate-limited", "incomplete-stream", "transport"].includes(error.kind),
          responseHeaders: details.responseHeaders,
          responseBody,
        },
      }
  }
}

function shortened(body: string | undefined): string | undefined {
  if (body === undefined || body.length <= MAX_BODY_LENGTH) return body
  return `${body.slice(0, MAX_BODY_LENGTH).toWellFormed()}…`
}

/** The owner of a session's lease, as read a moment ago. */
export interface LeaseHolder {
  readonly epoch: number
  /** End of the lease unless it is renewed, on the storage's own clock. A later end of the same epoch is a renewal. */
  readonly ends: number
  /** Milliseconds until then. */
  readonly remaining: number
  /** Undefined if the storage does not know the owner's process. */
  readonly process?: { readonly host: string; readonly pid: number } | undefined
  /** True if that process was seen alive. False if it cannot be seen from this machine. */
  readonly isAlive: boolean
}
