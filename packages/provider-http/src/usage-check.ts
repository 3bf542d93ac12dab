type Bytes = Uint8Array<ArrayBuffer>
type Fields = Readonly<Record<string, unknown>>

/** Takes the bytes of a stream of events and returns them in whole lines. */
export interface UsageCheck {
  take(chunk: Bytes): Bytes
  /** Returns a last line without an end. */
  rest(): Bytes
}

/**
 * Replaces a report of tokens that the SDK could not read, such as a text in place of a number, by a missing one: the SDK
 * would reject the event, and with it a complete answer. Knows the places of all four APIs. Copies nothing else.
 */
export function createUsageCheck(): UsageCheck {
  let begun: Bytes[] = []
  return {
    take(chunk) {
      const end = Math.max(chunk.lastIndexOf(LINE_FEED), chunk.lastIndexOf(CARRIAGE_RETURN)) + 1
      const lines = [...begun, chunk.subarray(0, end)]
      if (end === 0) begun.push(chunk)
      else begun = end < chunk.length ? [chunk.subarray(end)] : []
      return end === 0 ? NOTHING : checked(joined(lines))
    },
    rest: () => checked(joined(begun)),
  }
}

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const NOTHING = new Uint8Array()

function joined(chunks: readonly Bytes[]): Bytes {
  return chunks.length === 1 ? (chunks[0] ?? NOTHING) : Buffer.concat(chunks)
}

function checked(lines: Bytes): Bytes {
  const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength)
  if (!MARKS.some((mark) => bytes.includes(mark))) return lines
  const text = bytes.toString()
  const sound = text.replaceAll(/^data:[^\r\n]*"(?:usage|message_)[^\r\n]*/gm, soundLine)
  return sound === text ? lines : Buffer.from(sound)
}

const MARKS = ['"usage', '"message_']

function soundLine(line: string): string {
  const event = parsed(line.slice("data:".length))
  if (!isFields(event)) return line
  const sound = soundEvent(event)
  return sound === event ? line : `data: ${JSON.stringify(sound)}`
}

function soundEvent(event: Fields): Fields {
  const { type, message, response } = event
  if (type === "message_start") return withSound(event, "message", withCounts(message, ["input_tokens"]))
  if (type === "message_delta") return withCounts(event, ["output_tokens"]) as Fields
  if (isFields(response) && isReported(response["usage"]))
    return withSound(event, "response", withCounts(response, ["input_tokens", "output_tokens"]))
  const name = isReported(event["usage"]) ? "usage" : "usageMetadata"
  return isReported(event[name]) && !isSound(event[name]) ? { ...event, [name]: null } : event
}

/** Gives the holder of a report all the counts that the SDK insists on. */
function withCounts(holder: unknown, needed: readonly string[]): unknown {
  if (!isFields(holder)) return holder
  const reported = isFields(holder["usage"]) && isSound(holder["usage"]) ? holder["usage"] : {}
  const missing = needed.filter((name) => !isReported(reported[name]))
  if (missing.length === 0) return holder
  return { ...holder, usage: { ...reported, ...Object.fromEntries(missing.map((name) => [name, 0])) } }
}

function withSound(event: Fields, name: string, value: unknown): Fields {
  return event[name] === value ? event : { ...event, [name]: value }
}

function isReported(value: unknown): boolean {
  return value !== undefined && value !== null
}

function isSound(usage: unknown): boolean {
  return isFields(usage) && Object.entries(usage).every(([name, value]) => !isReported(value) || fits(name, value))
}

function fits(name: string, value: unknown): boolean {
  if (/tokens$|tokenCount$/i.test(name)) return Number.isFinite(value)
  if (name.endsWith("TokensDetails")) return Array.isArray(value) && value.every(isSound)
  return name.endsWith("_details") ? isSound(value) : true
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
