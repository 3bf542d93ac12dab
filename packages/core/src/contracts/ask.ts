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

/**
 * Asks the user for permission. Any reply but `once` and `always` refuses, and so does a rejection. A refusal with a
 * `message` is a hint that the model reads, and the run continues. The signal aborts when the answer is no longer
 * needed, for example because another answer came first.
 */
export type AskPermission = (
  request: PermissionRequest,
  signal: AbortSignal,
) => Promise<PermissionReply | { readonly reply: PermissionReply; readonly message?: string }>

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
  const { reply, message } = (typeof value === "object" && value !== null ? value : { reply: value }) as {
    readonly [key: string]: unknown
  }
  if (reply === "once" || reply === "always") return { type: "permission", reply }
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

/** Returns why an answer does not fit its question; undefined if it fits. */
export function answerProblem({ about }: Pick<QuestionPart, "about">, answer: Answer): string | undefined {
  if (answer.type === "dismissed") return undefined
  if (answer.type !== about.type) return `The question wants an answer of type "${about.type}", not "${answer.type}".`
  if (answer.type === "permission" && about.type === "permission") {
    const isTooMuch = answer.reply === "always" && about.always.length === 0
    return isTooMuch ? "It cannot be allowed for good: answer once, or reject." : undefined
  }
  if (answer.type === "permission" || about.type !== "choice") return undefined
  const { questions } = about
  if (answer.answers.length !== questions.length) {
    return `There are ${questions.length} questions, and ${answer.answers.length} were answered.`
  }
  for (const [at, { header, options, multiple, custom = true }] of questions.entries()) {
    const chosen = answer.answers[at] ?? []
    if (!multiple && chosen.length > 1) return `"${header}" takes one answer, not ${chosen.length}.`
    const other = chosen.find((label) => !custom && !options.some((option) => option.label === label))
    if (other !== undefined) return `"${header}" does not offer "${other}".`
  }
  return undefined
}
