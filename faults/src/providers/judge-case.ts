import type { MessageWithParts, Part, RunResult } from "@pawl/core"
import type { Expected } from "./fault.ts"
import type { Outcome } from "./run-case.ts"
import { FIRST_ANSWER, inputTokens, SECOND_ANSWER, TEXTS } from "./turn.ts"

export interface Judged {
  readonly expected: Expected
  /** The longest that the turn may take, milliseconds. */
  readonly within: number
  /** Some requests stand for no attempt of the engine's, or some attempts were no whole request. */
  readonly isUncounted: boolean
  /** All attempts were in vain. */
  readonly isHopeless: boolean
}

const ATTEMPTS = 5

/** What all attempts in vain may end in. */
export const RETRYABLE: Expected = ["transient", "rate-limited", "incomplete-stream", "transport"]

/** Everything that is wrong with what came of a case; nothing where all is well. */
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
  const told = endKind(result)
  return expected.some((each) => each === told) ? [] : [`${expected.join(" or ")} was expected: ${shown(result)}`]
}

/** The kind of the error that a turn ended with. */
export function endKind({ error: { name, data } }: Extract<RunResult, { type: "failed" }>): string {
  return KINDS[name] ?? (typeof data.kind === "string" ? data.kind : name)
}

/** Of errors that say by their name what they are. */
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

/** What stands in a message that passes for an answer is whole. */
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

/** Each request came to an answer that was kept, or to an attempt that people are told of. */
function uncounted({ requests, result }: Outcome, parts: readonly Part[]): string[] {
  const kept = parts.filter(({ type }) => type === "step-finish").length
  const told = parts.filter(({ type }) => type === "retry").length
  // An answer that is cut at its limit fails its turn, and is kept.
  const failed = result.type === "failed" && endKind(result) !== "output-length" ? 1 : 0
  const known = kept + told + failed
  return known === requests
    ? []
    : [`${requests} requests, but ${kept} answers, ${told} attempts and ${failed} failures are stored`]
}

/** No answer is billed twice, none for more than it told. */
function wrongBills(parts: readonly Part[]): string[] {
  const bills = parts.flatMap((part) => (part.type === "step-finish" ? [part.tokens.input] : []))
  return [
    ...bills
      .filter((bill) => bill !== 0 && (bill < inputTokens(0) || !Number.isInteger(bill)))
      .map((bill) => `a bill of ${bill}`),
    ...bills.filter((bill, index) => bill !== 0 && bills.indexOf(bill) !== index).map((bill) => `${bill} billed twice`),
  ]
}

/** A message's bill is that of its answer and of the attempts before it; where it failed, of the last one as well. */
function wrongTotals(messages: readonly MessageWithParts[]): string[] {
  return messages.flatMap(({ info, parts }) => {
    if (info.role === "user") return []
    const bills = parts.flatMap((part) => ("cost" in part && part.cost !== undefined ? [part] : []))
    const tokens = bills.reduce((sum, part) => sum + (part.tokens?.input ?? 0) + (part.tokens?.output ?? 0), 0)
    const cost = bills.reduce((sum, part) => sum + (part.cost ?? 0), 0)
    const told = info.tokens.input + info.tokens.output
    const isMore = info.error !== undefined && told >= tokens && info.cost >= cost - 1e-12
    if (isMore || (told === tokens && Math.abs(cost - info.cost) < 1e-12)) return []
    return [`message ${info.id} is billed ${told} and $${info.cost}, its parts ${tokens} and $${cost}`]
  })
}

/** As many attempts are made as there may be, and no more. */
function wrongAttempts(parts: readonly Part[]): string[] {
  const told = parts.filter(({ type }) => type === "retry").length
  return told === ATTEMPTS - 1 ? [] : [`${told} attempts are told, and then the end, where ${ATTEMPTS - 1} are due`]
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
