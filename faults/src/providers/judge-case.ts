import type { MessageWithParts, Part, RunResult } from "@pawl/core"
import type { Expected } from "./fault.ts"
import type { Outcome } from "./run-case.ts"
import { FIRST_ANSWER, inputTokens, SECOND_ANSWER, TEXTS } from "./turn.ts"

export interface Judged {
  readonly expected: Expected
  /** Maximum duration of the turn in milliseconds. */
  readonly within: number
  /** Set if the numbers of requests and attempts may differ. */
  readonly isUncounted: boolean
  /** Set if all attempts fail. */
  readonly isHopeless: boolean
}

const ATTEMPTS = 5

/** Possible errors after all attempts failed. */
export const RETRYABLE: Expected = ["transient", "rate-limited", "incomplete-stream", "transport"]

/** Returns everything that is wrong with a case's outcome; empty if it is correct. */
export function judgeCase(outcome: Outcome, judged: Judged): string[] {
  const { result, second, messages } = outcome
  const parts = messages.flatMap(({ parts: own }) => own)
  return [
    ...judgeResult(result, judged.expected),
    ...(second.type === "answered" && textOf(second.answer) === SECOND_ANSWER
      ? []
      : [`the next prompt was not answered: ${shown(second)}`]),
    ...(outcome.took > judged.within ? [`it took ${Math.round(outcome.took)} ms`] : []),
    ...outcome.refusals.map((request) => `the server refused a request: ${request.slice(-600)}`),
    ...openThings(messages),
    ...halfTexts(messages, result),
    ...repeatedRuns(outcome),
    ...(judged.isHopeless ? wrongAttempts(parts) : []),
    ...(judged.isUncounted ? [] : uncounted(outcome, parts)),
    ...wrongBills(parts),
    ...wrongTotals(messages),
  ]
}

function judgeResult(result: RunResult, expected: Expected): string[] {
  if (expected === "answered") {
    if (result.type !== "answered") return [`not answered: ${shown(result)}`]
    const text = textOf(result.answer)
    return text === FIRST_ANSWER ? [] : [`answered with ${JSON.stringify(text)}`]
  }
  if (result.type !== "failed") return [`${expected.join(" or ")} was expected: ${shown(result)}`]
  const reported = endKind(result)
  return expected.some((each) => each === reported) ? [] : [`${expected.join(" or ")} was expected: ${shown(result)}`]
}

/** Returns the kind of the error that ended a turn. */
export function endKind({ error: { name, data } }: Extract<RunResult, { type: "failed" }>): string {
  return KINDS[name] ?? (typeof data.kind === "string" ? data.kind : name)
}

/** For errors whose name implies their kind. */
const KINDS: Readonly<Record<string, string>> = {
  ProviderAuthError: "auth",
  ContextOverflowError: "overflow",
  ContentFilterError: "content-policy",
  MessageOutputLengthError: "output-length",
}

function openThings(messages: readonly MessageWithParts[]): string[] {
  return messages.flatMap(({ info, parts }) => [
    ...(info.role === "assistant" && info.time.completed === undefined ? [`message ${info.id} is open`] : []),
    ...parts.flatMap((part) =>
      part.type === "tool" && !["completed", "error"].includes(part.state.status)
        ? [`call ${part.callID} is ${part.state.status}`]
        : [],
    ),
  ])
}

/** Texts in a completed message must be complete. */
function halfTexts(messages: readonly MessageWithParts[], result: RunResult): string[] {
  const failed = result.type === "failed" ? result.answer.info.id : undefined
  return messages.flatMap(({ info, parts }) => {
    if (info.role === "user" || info.finish === "unknown" || info.id === failed) return []
    return texts(parts).flatMap((text) => (TEXTS.includes(text) ? [] : [`half a text: ${JSON.stringify(text)}`]))
  })
}

function repeatedRuns({ runs }: Outcome): string[] {
  return runs.filter((word, index) => runs.indexOf(word) !== index).map((word) => `${word} ran twice`)
}

/** Each request must lead to an answer or to a reported retry. */
function uncounted({ requests, result }: Outcome, parts: readonly Part[]): string[] {
  const kept = parts.filter(({ type }) => type === "step-finish").length
  const reported = parts.filter(({ type }) => type === "retry").length
  // An answer that is cut at the output limit fails its turn but is kept.
  const failed = result.type === "failed" && endKind(result) !== "output-length" ? 1 : 0
  const known = kept + reported + failed
  return known === requests
    ? []
    : [`${requests} requests, but ${kept} answers, ${reported} retries and ${failed} failures are stored`]
}

/** No answer is billed twice, and none for more than it reported. */
function wrongBills(parts: readonly Part[]): string[] {
  const bills = parts.flatMap((part) => (part.type === "step-finish" ? [part.tokens.input] : []))
  return [
    ...bills
      .filter((bill) => bill !== 0 && (bill < inputTokens(0) || !Number.isInteger(bill)))
      .map((bill) => `a bill of ${bill}`),
    ...bills.filter((bill, index) => bill !== 0 && bills.indexOf(bill) !== index).map((bill) => `${bill} billed twice`),
  ]
}

/** A message's totals include its answer and earlier attempts; in a failed message also the last attempt. */
function wrongTotals(messages: readonly MessageWithParts[]): string[] {
  return messages.flatMap(({ info, parts }) => {
    if (info.role === "user") return []
    const bills = parts.flatMap((part) => ("cost" in part && part.cost !== undefined ? [part] : []))
    const tokens = bills.reduce((sum, part) => sum + (part.tokens?.input ?? 0) + (part.tokens?.output ?? 0), 0)
    const cost = bills.reduce((sum, part) => sum + (part.cost ?? 0), 0)
    const reported = info.tokens.input + info.tokens.output
    const isMore = info.error !== undefined && reported >= tokens && info.cost >= cost - 1e-12
    if (isMore || (reported === tokens && Math.abs(cost - info.cost) < 1e-12)) return []
    return [`message ${info.id} is billed ${reported} and $${info.cost}, its parts ${tokens} and $${cost}`]
  })
}

/** The number of attempts must be the maximum. */
function wrongAttempts(parts: readonly Part[]): string[] {
  const reported = parts.filter(({ type }) => type === "retry").length
  return reported === ATTEMPTS - 1 ? [] : [`${reported} retries are reported, but ${ATTEMPTS - 1} are expected`]
}

function textOf({ parts }: MessageWithParts): string {
  return texts(parts).join("")
}

function texts(parts: readonly Part[]): string[] {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : []))
}

function shown(result: RunResult): string {
  if (result.type === "failed") return `failed, ${endKind(result)}: ${result.error.data.message}`
  return "answer" in result && result.answer ? `${result.type}: ${textOf(result.answer)}` : result.type
}
