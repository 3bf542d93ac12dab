import type { MessageWithParts } from "../../record/message.ts"
import { isRequest } from "../../record/request-order.ts"
import { isRecord } from "../../record/compaction-record.ts"

export interface ExtractInput {
  /** Messages to replace, in the order of the request. */
  readonly messages: readonly MessageWithParts[]
  /** The earlier summary before these messages. */
  readonly prior: string | undefined
  readonly tokensOf: (text: string) => number
  /** Maximum tokens. */
  readonly budget: number
}

interface Section {
  readonly title: string
  /** Oldest first. */
  readonly lines: readonly string[]
  /** Part of the budget. */
  readonly share: number
}

/**
 * Makes a summary without a model: requests of the user, last texts of answers, and errors, the newest of each within
 * the budget. The same messages give the same text. Files, commands and failing tests are in the ledger beside it.
 */
export function extractSummary({ messages, prior, tokensOf, budget }: ExtractInput): string {
  const earlier = prior?.startsWith(NOTE) ? linesOf(prior) : undefined
  const section = (title: string, share: number, lines: (message: MessageWithParts) => string[]): Section => {
    return { title, share, lines: [...(earlier?.get(title) ?? []), ...messages.flatMap((message) => lines(message))] }
  }
  const sections = [
    section("What the user asked for", 0.45, requestLines),
    section("What was said and found", 0.3, answerLines),
    section("Errors met", 0.1, errorLines),
  ]
  const texts = sections.flatMap(({ title, lines, share }) => {
    const kept = newest(lines, budget * share, tokensOf)
    return kept.length > 0 ? [`## ${title}\n${kept.join("\n")}`] : []
  })
  const before = earlier?.get(BEFORE)?.join("\n") ?? (earlier ? undefined : prior)
  const summary = before === undefined ? [] : [`## ${BEFORE}\n${fitted(before, budget * 0.2, tokensOf)}`]
  return [NOTE, ...summary, ...texts].join("\n\n")
}

const NOTE = "(An extract of the conversation, made without a model. The whole of it can be searched with `recall`.)"
const BEFORE = "Before that"

/** Returns an extract's lines by the titles of their sections. */
function linesOf(extract: string): Map<string, string[]> {
  const sections = extract.slice(NOTE.length).split(/^## /m).slice(1)
  return new Map(
    sections.map((section) => {
      const [title = "", ...lines] = section.trimEnd().split("\n")
      return [title, lines]
    }),
  )
}

function requestLines(message: MessageWithParts): string[] {
  if (!isRequest(message)) return []
  const texts = message.parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : []))
  return texts.map((text) => `- ${shortened(text, 400)}`)
}

function answerLines(message: MessageWithParts): string[] {
  if (message.info.role !== "assistant" || isRecord(message)) return []
  const text = message.parts.findLast((part) => part.type === "text" && part.text.trim() !== "")
  return text?.type === "text" ? [`- ${shortened(text.text, 300)}`] : []
}

function errorLines({ parts }: MessageWithParts): string[] {
  return parts.flatMap((part) => {
    if (part.type !== "tool" || part.state.status !== "error") return []
    return [`- ${part.tool}: ${shortened(part.state.error, 160)}`]
  })
}

function newest(lines: readonly string[], budget: number, tokensOf: (text: string) => number): string[] {
  const kept: string[] = []
  let left = budget
  for (const line of lines.toReversed()) {
    left -= tokensOf(line) + 1
    if (left < 0) break
    kept.unshift(line)
  }
  return kept
}

function fitted(text: string, budget: number, tokensOf: (text: string) => number): string {
  const tokens = tokensOf(text)
  return tokens <= budget ? text : `${text.slice(0, Math.floor(text.length * (budget / tokens) * 0.9)).toWellFormed()}…`
}

function shortened(text: string, length: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim()
  return line.length > length ? `${line.slice(0, length - 1).toWellFormed()}…` : line
}
