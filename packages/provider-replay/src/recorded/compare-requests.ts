import type { ModelMessage } from "@pawl/core/provider"
import type { RecordedRequest } from "./request-log.ts"

/** The first difference between a request and the recorded one. */
export interface RequestDifference {
  /** For messages: `system block 1`, `message 4 (tool), part 2`, `tool read`. */
  readonly place: string
  /** The two texts. Undefined if that side has none. */
  readonly expected: string | undefined
  readonly got: string | undefined
}

export interface ComparedAspects {
  readonly system: boolean
  readonly tools: boolean
}

/** Replaces text that differs in each run, such as a date, before texts are compared. */
export type Normalize = (text: string) => string

export type CompareRequests = (
  expected: RecordedRequest,
  got: RecordedRequest,
  aspects: ComparedAspects,
) => RequestDifference | undefined

/** Returns a function that compares requests. It converts each message to text once, however often it is sent again. */
export function createCompareRequests(normalize: Normalize): CompareRequests {
  const known = new WeakMap<object, readonly string[]>()

  function partsOf(message: ModelMessage): readonly string[] {
    const parts = known.get(message) ?? message.content.map((part) => normalize(wordsOf(part)))
    known.set(message, parts)
    return parts
  }

  function firstMessage(
    expected: readonly ModelMessage[],
    got: readonly ModelMessage[],
  ): RequestDifference | undefined {
    for (let at = 0; at < Math.max(expected.length, got.length); at++) {
      const [one, other] = [expected[at], got[at]]
      if (one === other) continue
      const place = `message ${at + 1} (${(one ?? other)?.role})`
      if (!one || !other || one.role !== other.role) {
        return {
          place,
          expected: one && describeParts(one, partsOf(one)),
          got: other && describeParts(other, partsOf(other)),
        }
      }
      const difference = firstText(partsOf(one), partsOf(other), (part) => `${place}, part ${part}`)
      if (difference) return difference
    }
    return undefined
  }

  return (expected, got, { system, tools }) => {
    const blocks = (texts: readonly string[]) => texts.map((text) => normalize(text))
    return (
      (system ? firstText(blocks(expected.system), blocks(got.system), (at) => `system block ${at}`) : undefined) ??
      (tools ? firstTool(expected, got, normalize) : undefined) ??
      firstMessage(expected.messages, got.messages)
    )
  }
}

function firstTool(
  expected: RecordedRequest,
  got: RecordedRequest,
  normalize: Normalize,
): RequestDifference | undefined {
  const [one, other] = [expected, got].map(({ tools }) => {
    return tools.map((tool) => [tool.name, normalize(JSON.stringify(tool, undefined, 2))] as const)
  }) as [(readonly [string, string])[], (readonly [string, string])[]]
  const names = [...new Set([...one, ...other].map(([name]) => name))]
  for (const name of names) {
    const [was, is] = [one, other].map((tools) => tools.find(([each]) => each === name)?.[1])
    if (was !== is) return { place: `tool ${name}`, expected: was, got: is }
  }
  return undefined
}

function firstText(
  expected: readonly string[],
  got: readonly string[],
  place: (number: number) => string,
): RequestDifference | undefined {
  for (let at = 0; at < Math.max(expected.length, got.length); at++) {
    if (expected[at] !== got[at]) return { place: place(at + 1), expected: expected[at], got: got[at] }
  }
  return undefined
}

function describeParts({ role }: ModelMessage, parts: readonly string[]): string {
  return `${role}: ${parts.join("\n")}`
}

/** Returns the text that a model reads of a part, without the provider's signatures. */
function wordsOf(part: ModelMessage["content"][number]): string {
  switch (part.type) {
    case "text":
      return part.text
    case "reasoning":
      return `(reasoning) ${part.text}`
    case "tool-call":
      return `(call ${part.callID}) ${part.name} ${JSON.stringify(part.input)}`
    case "tool-result": {
      const files = (part.attachments ?? []).map(({ mime, url }) => `\n(file ${mime}) ${url}`)
      return `(${part.isError ? "error" : "result"} of ${part.callID}) ${part.name}\n${part.output}${files.join("")}`
    }
    case "file":
      return `(file ${part.mime}) ${part.filename ?? ""} ${part.url}`
    default:
      return JSON.stringify(part)
  }
}
