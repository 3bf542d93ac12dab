import type { SessionID } from "../base/ids.ts"
import type { Answer, Choice, QuestionPart } from "../record/message.ts"

interface Request {
  /** The id of the question's part. */
  readonly id: string
  readonly sessionID: SessionID
  /** The session that all of this works for; the same where nothing stands above. */
  readonly rootSessionID: SessionID
  readonly tool: { readonly messageID: string; readonly callID: string }
}

/**
 * A question to a person. Answered `always`, the patterns in `always` are not asked again in the tree of sessions; where
 * there are none that answer is not to be offered, and counts as `once`.
 */
export interface PermissionRequest extends Request {
  readonly permission: string
  readonly patterns: readonly string[]
  readonly always: readonly string[]
  /** Where it would be done, absolute; an answer of `always` holds there alone. Absent: the patterns say all. */
  readonly directory?: string
  /** What the tool says of it; `unclear`, a sentence, where it is not known what would be done. */
  readonly metadata: Readonly<Record<string, unknown>>
}

export interface ChoiceRequest extends Request {
  readonly questions: readonly Choice[]
}

export type PermissionReply = "once" | "always" | "reject"

/**
 * Anything but `once` and `always` refuses, throwing too. With a `message` the refusal is a hint that the model reads,
 * and the run goes on. The signal aborts when the answer is no longer needed: another may have come first.
 */
export type AskPermission = (
  request: PermissionRequest,
  signal: AbortSignal,
) => Promise<PermissionReply | { readonly reply: PermissionReply; readonly message?: string }>

/** What was chosen for each question; undefined, and throwing, dismiss them. The signal is as for permissions. */
export type AskChoice = (
  request: ChoiceRequest,
  signal: AbortSignal,
) => Promise<readonly (readonly string[])[] | undefined>

/** Where this process has nobody to ask. `wait`: another process may answer, until the deadline. */
export type AskPolicy = "deny" | "wait"

export type PermissionAnswer = Extract<Answer, { type: "permission" }>

/** A callback's reply as an answer, whatever it was. */
export function toPermissionAnswer(given: unknown): PermissionAnswer {
  const { reply, message } = (typeof given === "object" && given !== null ? given : { reply: given }) as {
    readonly [key: string]: unknown
  }
  if (reply === "once" || reply === "always") return { type: "permission", reply }
  return { type: "permission", reply: "reject", ...(typeof message === "string" && message !== "" ? { message } : {}) }
}

export function toPermissionRequest(part: QuestionPart, rootSessionID: SessionID): PermissionRequest | undefined {
  if (part.about.type !== "permission") return undefined
  const { permission, patterns, always, directory, metadata } = part.about
  const place = directory === undefined ? {} : { directory }
  return { ...toRequest(part, rootSessionID), permission, patterns, always, ...place, metadata }
}

export function toChoiceRequest(part: QuestionPart, rootSessionID: SessionID): ChoiceRequest | undefined {
  if (part.about.type !== "choice") return undefined
  return { ...toRequest(part, rootSessionID), questions: part.about.questions }
}

function toRequest({ id, sessionID, messageID, callID }: QuestionPart, rootSessionID: SessionID): Request {
  return { id, sessionID, rootSessionID, tool: { messageID, callID } }
}

/** Why an answer does not fit its question; undefined where it does. */
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
