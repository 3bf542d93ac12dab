import type { SessionID } from "../base/ids.ts"
import type { Answer, Choice, QuestionPart } from "../record/message.ts"

interface Request {
  /** The id of the question's part. */
  readonly id: string
  readonly sessionID: SessionID
  /** The topmost session that this one works for; the session itself if it has no parent. */
  readonly rootSessionID: SessionID
  readonly tool: { readonly messageID: string; readonly callID: string }
}

/**
 * A permission question to the user. After the answer `always`, calls in the tree of sessions are not asked about the
 * patterns in `always` again. If `always` is empty, that answer must not be offered, and counts as `once`.
 */
export interface PermissionRequest extends Request {
  readonly permission: string
  readonly patterns: readonly string[]
  readonly always: readonly string[]
  /**
   * Absolute directory of the call, to which an answer of `always` is limited. Missing: the patterns are sufficient.
   */
  readonly directory?: string
  /** Details from the tool. `unclear`: a sentence, set if it is unknown what the call would do. */
  readonly metadata: Readonly<Record<string, unknown>>
}

export interface ChoiceRequest extends Request {
  readonly questions: readonly Choice[]
}

export type PermissionReply = "once" | "always" | "reject"

export interface PermissionReplyDetails {
  readonly reply: PermissionReply
  /** With `reject`: a hint that the model reads. */
  readonly message?: string
  /**
   * With `always`: patterns that replace the proposed ones, with `*` and `?` as in rules. If they do not match the call,
   * the call is allowed once.
   */
  readonly patterns?: readonly string[]
}

/**
 * Asks the user for permission. Any reply but `once` and `always` refuses, and so does a rejection. A refusal with a
 * `message` is a hint that the model reads, and the run continues. The signal aborts when the answer is no longer
 * needed, for example because another answer came first.
 */
export type AskPermission = (
  request: PermissionRequest,
  signal: AbortSignal,
) => Promise<PermissionReply | PermissionReplyDetails>

/**
 * Asks the user to choose. Resolves with the chosen labels of each question. Undefined, or a rejection, dismisses the
 * questions. The signal is the same as for permissions.
 */
export type AskChoice = (
  request: ChoiceRequest,
  signal: AbortSignal,
) => Promise<readonly (readonly string[])[] | undefined>

/** Policy of a process without a user to ask. `wait`: another process may answer, until the deadline. */
export type AskPolicy = "deny" | "wait"

export type PermissionAnswer = Extract<Answer, { type: "permission" }>

/** Converts a callback's reply, which may be any value, to an answer. */
export function toPermissionAnswer(value: unknown): PermissionAnswer {
  const { reply, message, patterns } = (typeof value === "object" && value !== null ? value : { reply: value }) as {
    readonly [key: string]: unknown
  }
  if (reply === "once") return { type: "permission", reply }
  if (reply === "always") {
    if (patterns === undefined) return { type: "permission", reply }
    const isList = Array.isArray(patterns) && patterns.every((pattern) => typeof pattern === "string")
    return { type: "permission", reply, patterns: isList ? [...patterns] : [] }
  }
  return { type: "permission", reply: "reject", ...(typeof message === "string" && message !== "" ? { message } : {}) }
}

export function toPermissionRequest(part: QuestionPart, rootSessionID: SessionID): PermissionRequest | undefined {
  if (part.about.type !== "permission") return undefined
  const { permission, patterns, always, directory, metadata } = part.about
  const ownDirectory = directory === undefined ? {} : { directory }
  return { ...toRequest(part, rootSessionID), permission, patterns, always, ...ownDirectory, metadata }
}

export function toChoiceRequest(part: QuestionPart, rootSessionID: SessionID): ChoiceRequest | undefined {
  if (part.about.type !== "choice") return undefined
  return { ...toRequest(part, rootSessionID), questions: part.about.questions }
}

function toRequest({ id, sessionID, messageID, callID }: QuestionPart, rootSessionID: SessionID): Request {
  return { id, sessionID, rootSessionID, tool: { messageID, callID } }
}
