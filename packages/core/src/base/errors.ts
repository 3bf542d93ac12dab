import type { JSONObject } from "./json.ts"

/**
 * Why a provider failed, decided in its adapter. `transport`: the request was not sent. `incomplete-stream`: the answer
 * ended before its finish. `overflow`: the request does not fit the model's window.
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
  /** How long the server asked to wait, in milliseconds from the answer. */
  readonly retryAfter?: number | undefined
  /** Of an overflow: tokens that the server allows, and those of the refused request, as far as its words name them. */
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

/** The run that wrote this no longer owns the session: another run has taken its lease. Nothing was written. */
export class StaleLeaseError extends Error {
  override readonly name = "StaleLeaseError"
  constructor(sessionID: string) {
    super(`The lease on session ${sessionID} was lost to another run; nothing was written.`)
  }
}

/** Another run holds the session. */
export class SessionBusyError extends Error {
  override readonly name = "SessionBusyError"
  readonly sessionID: string
  /** The owner of the session's lease, if the storage knows it. */
  readonly holder: LeaseHolder | undefined
  constructor(sessionID: string, holder?: LeaseHolder) {
    super(`Session ${sessionID} is being worked on by another process${holderAdvice(holder)}`)
    this.sessionID = sessionID
    this.holder = holder
  }
}

function holderAdvice(holder: LeaseHolder | undefined): string {
  const { process, remaining = 0, isAlive = true } = holder ?? {}
  const name = process ? ` (pid ${process.pid} on ${process.host})` : ""
  if (isAlive) return `. Wait for it to finish, or end that process${name}.`
  const seconds = Math.ceil(remaining / 1000)
  return `${name}. Wait for it to finish. If that process is gone, its lease ends in ${seconds} s.`
}

/** A session without messages: there is nothing to compact. */
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

/** An agent that is not for whoever chose it. `choices`: those that are. */
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

/** Work that cannot be handed to a subagent; nothing was begun. The model reads the message. */
export class DelegationError extends Error {
  override readonly name = "DelegationError"
}

/** A tool call whose arguments do not fit the tool. The model reads the message. */
export class ToolInputError extends Error {
  override readonly name = "ToolInputError"
}

/** The rule behind a refusal, with the scope and the place that it is written in. */
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
  /** Absent where no rule spoke of it. */
  readonly rule?: RefusingRule | undefined
  /**
   * `rule`: an explicit deny, the model may try something else. `feedback`: a person said what to do instead, which the
   * model reads. `asked`: nobody allowed it, the run stops.
   */
  readonly decidedBy: "rule" | "feedback" | "asked"
}

/** A tool call that a permission rule, a hook or the user refused. */
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

/** A question that cannot be answered any more: somebody has, or nobody needs it. */
export class QuestionClosedError extends Error {
  override readonly name = "QuestionClosedError"
  readonly questionID: string
  constructor(questionID: string, reason: string) {
    super(`Question ${questionID} is closed: ${reason}`)
    this.questionID = questionID
  }
}

/** Nobody answered what a call asked. The model reads the message. */
export class UnansweredError extends Error {
  override readonly name = "UnansweredError"
}

/** The next request does not fit the model's window, and nothing that may be done makes it fit. Token counts are estimates. */
export class ContextOverflowError extends Error {
  override readonly name = "ContextOverflowError"
  readonly size: ContextSize
  constructor(message: string, size: ContextSize, options?: ErrorOptions) {
    super(message, options)
    this.size = size
  }
}

/** The model reached the limit of its output before its answer came to an end. */
export class OutputLengthError extends Error {
  override readonly name = "OutputLengthError"
}

/** The model did the same over and over. `nudge`: it reads the message and goes on; `stop`: the run ends. */
export class RepetitionError extends Error {
  override readonly name = "RepetitionError"
  readonly response: "nudge" | "stop"
  constructor(message: string, response: "nudge" | "stop") {
    super(message)
    this.response = response
  }
}

/** In tokens; `usable`: what a request may take. */
export interface ContextSize {
  readonly tokens: number
  readonly system: number
  readonly tools: number
  readonly messages: number
  readonly media: number
  readonly usable: number
}

/** A plugin's hook failed or left its draft in a shape that its row in the hook map does not allow. */
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

/** The storage cannot do what was asked: full disk, missing rights, damaged file. `message` names the next step. */
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

/** Characters. Proxies answer with whole pages, and what is stored with a message is to stay small. */
const LONGEST_BODY = 16_384

/** The one place where a thrown value becomes a stored error. A long `responseBody` is cut. */
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

/** The words of any thrown value. Never throws itself. */
export function messageOf(error: unknown): string {
  try {
    const issues = issuesOf(error)
    if (issues !== undefined) return issues
    const message: unknown = typeof error === "object" && error !== null && "message" in error ? error.message : error
    const words = String(message)
    if (words !== "[object Object]") return words
    // Some libraries throw a server's answer as it came.
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

/** Issues that are told; the rest is counted. */
const MOST_ISSUES = 5

/** Of zod's errors, of whatever copy of it: their own words are JSON. Undefined of what only looks like one. */
function issuesOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !/^\$?ZodError$/.test(error.name) || !("issues" in error)) return undefined
  const { issues } = error
  if (!Array.isArray(issues) || issues.length === 0 || !issues.every(isIssue)) return undefined
  const told = issues.slice(0, MOST_ISSUES).map(({ path, message }) => {
    return path.length > 0 ? `${path.map(String).join(".")}: ${message}` : message
  })
  const left = issues.length - told.length
  return [...told, ...(left > 0 ? [`and ${left} more`] : [])].join("; ")
}

function isIssue(value: unknown): value is Issue {
  const { path, message } = (value ?? {}) as Partial<Record<keyof Issue, unknown>>
  return Array.isArray(path) && typeof message === "string"
}

export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError"
}

/** What work that was aborted throws, whatever the signal's reason is: the reason, or an AbortError with it as cause. */
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
  if (body === undefined || body.length <= LONGEST_BODY) return body
  return `${body.slice(0, LONGEST_BODY).toWellFormed()}…`
}

/** The owner of a session's lease, as of a moment ago. */
export interface LeaseHolder {
  readonly epoch: number
  /** When the lease ends unless it is renewed. On a clock of the storage's own: a later end of the same epoch is a renewal. */
  readonly ends: number
  /** Milliseconds until then. */
  readonly remaining: number
  /** Undefined if the storage does not know the owner's process. */
  readonly process?: { readonly host: string; readonly pid: number } | undefined
  /** Whether that process was seen to be alive. False for a process that cannot be seen from here. */
  readonly isAlive: boolean
}
