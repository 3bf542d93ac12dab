import type { ModelMessage } from "@pawl/core/provider"
import type { Prompt } from "./request.ts"

/** `list` is the text after the summary of an earlier compaction. */
export type Source = "prior" | "list" | "user" | "assistant" | "change" | "call" | "output"

export interface Sentence {
  readonly source: Source
  readonly text: string
}

/** The input of a summarizer, and its instructions. */
export interface Material {
  /** In their order, each once. */
  readonly sentences: readonly Sentence[]
  readonly headings: readonly string[]
  /** Infinity if no limit is given. */
  readonly words: number
  /** Sources that, according to the instructions, are kept without the summary and need not be repeated. */
  readonly keptElsewhere: ReadonlySet<Source>
}

const MAX_SENTENCE_LENGTH = 300
/** The question before the summary of an earlier compaction. */
const QUESTION_BEFORE_SUMMARY = "What did we do so far?"

/** Parses a request for a summary. The conversation is quoted in it or precedes it. */
export function materialOf({ messages }: Prompt): Material {
  const asked = textOf(messages.at(-1))
  const quoted = /<conversation>\n([\s\S]*)\n<\/conversation>/.exec(asked)
  const prior = /<prior-summary>\n([\s\S]*?)\n<\/prior-summary>/.exec(asked)?.[1] ?? ""
  const instruction = quoted ? asked.slice(quoted.index + quoted[0].length).replace(prior, "") : asked
  const isCompacted = textOf(messages[0]) === QUESTION_BEFORE_SUMMARY
  const found = quoted
    ? [...split("prior", prior), ...(quoted[1] ?? "").split(BLOCK).flatMap((block) => fromBlock(block))]
    : messages.slice(0, -1).flatMap((message, at) => fromMessage(message, at < 3 && isCompacted))
  const sentences = new Map(found.toReversed().map((sentence) => [sentence.text, sentence]))
  const limit = /at most (\d+) words/.exec(instruction)?.[1]
  return {
    sentences: [...sentences.values()].toReversed(),
    headings: [...instruction.matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading),
    words: limit === undefined ? Infinity : Number(limit),
    keptElsewhere: keptElsewhere(instruction),
  }
}

/** An instruction not to repeat something, up to the end of the sentence. */
const NOT_TO_REPEAT = /\b(?:do not|don't|need not|never) (?:repeat|list|copy)\b[^.\n]*/gi

/** Words with which instructions name the sources. */
const NAMES: readonly (readonly [source: Source, name: RegExp])[] = [
  ["user", /\b(?:messages|prompts)\b/i],
  ["output", /\boutputs?\b/i],
  ["change", /files?\b[^,;]*\b(?:modified|changed|edited)/i],
  ["call", /commands\b|tool calls/i],
]

function keptElsewhere(instruction: string): ReadonlySet<Source> {
  const named = [...instruction.matchAll(NOT_TO_REPEAT)].map(([text]) => text).join("\n")
  const sources = NAMES.flatMap(([source, name]) => (name.test(named) ? [source] : []))
  // A list after an earlier summary is kept elsewhere too.
  return new Set<Source>(sources.length > 0 ? [...sources, "list"] : [])
}

/** Start of the next part in a quoted conversation. */
const BLOCK = /\n\n(?=\[(?:User|Assistant|Assistant tool call|Tool result|Tool error)\]: )/

const LABELS: readonly (readonly [label: string, source: Source])[] = [
  ["[User]: ", "user"],
  ["[Assistant]: ", "assistant"],
  ["[Tool result]: ", "output"],
  ["[Tool error]: ", "output"],
]

function fromBlock(block: string): Sentence[] {
  const call = /^\[Assistant tool call\]: (\w+)\(([\s\S]*)\)$/.exec(block)
  if (call) return [callOf(call[1] ?? "", call[2] ?? "")]
  const [label, source] = LABELS.find(([each]) => block.startsWith(each)) ?? ["", "output"]
  return split(source, block.slice(label.length))
}

function fromMessage(message: ModelMessage, isLeft: boolean): Sentence[] {
  if (message.role === "tool") return message.content.flatMap(({ output }) => split("output", output))
  return message.content.flatMap((item) => {
    if (item.type === "tool-call") return [callOf(item.name, JSON.stringify(item.input))]
    if (item.type !== "text" || item.text === QUESTION_BEFORE_SUMMARY) return []
    return split(message.role === "user" ? (isLeft ? "list" : "user") : isLeft ? "prior" : "assistant", item.text)
  })
}

function callOf(tool: string, input: string): Sentence {
  return { source: tool === "edit" || tool === "write" ? "change" : "call", text: shortened(`${tool} ${input}`, 120) }
}

/** Splits outputs by lines, other text by lines and sentences. Drops headings. */
function split(source: Source, text: string): Sentence[] {
  const pieces = text.split(source === "output" ? "\n" : /\n|(?<=[.!?])\s+/)
  return pieces.flatMap((piece) => {
    const line = piece
      .replace(/^\s*- /, "")
      .replaceAll(/\s+/g, " ")
      .trim()
    return line === "" || line.startsWith("## ") ? [] : [{ source, text: shortened(line, MAX_SENTENCE_LENGTH) }]
  })
}

function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}

function textOf(message: ModelMessage | undefined): string {
  if (message?.role !== "user") return ""
  return message.content.map((item) => (item.type === "text" ? item.text : "")).join("\n")
}
