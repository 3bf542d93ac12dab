import { waitInWords } from "./wait-in-words.ts"

/** The content of an error response, in any known format. */
export interface ErrorBody {
  /** Every code, type and status string, in lower case. */
  readonly codes: readonly string[]
  /** An HTTP status given as a number, as gateways do for an error of the server behind them. */
  readonly status: number | undefined
  /** The message for users; may be empty. */
  readonly message: string
  /** How long to wait, in milliseconds. */
  readonly retryAfter: number | undefined
}

/** Parses the body of an error response. A body that is neither JSON nor HTML is the message itself. */
export function parseErrorBody(text: string): ErrorBody {
  const trimmed = text.trim()
  try {
    return readErrorBody(JSON.parse(trimmed))
  } catch {
    return readErrorBody(trimmed.startsWith("<") ? "" : trimmed)
  }
}

/** Reads a parsed body, or an error that came inside a stream. */
export function readErrorBody(value: unknown): ErrorBody {
  const layers = layersOf(value)
  const words = layers.flatMap((layer) => codeKeys.map((key) => layer[key]))
  const message = typeof value === "string" ? value : [...new Set(layers.flatMap(messagesOf))].join(" ")
  const delay = layers.map(({ retryDelay }) => secondsOf(retryDelay)).find((each) => each !== undefined)
  return {
    codes: words.filter((word) => typeof word === "string").map((word) => word.toLowerCase()),
    status: words.map(Number).find((word) => Number.isInteger(word) && word >= 400 && word <= 599),
    message,
    retryAfter: delay ?? waitInWords(message),
  }
}

type Layer = Readonly<Record<string, unknown>>

const codeKeys = ["code", "type", "status", "reason", "error_type"]
const messageKeys = ["message", "error", "detail", "msg", "raw", "error_msg"]
const nestedKeys = ["error", "errors", "innererror", "detail", "details", "metadata"]
const depthLimit = 4

/** Returns the object and the nested objects that may hold errors, outermost first. */
function layersOf(value: unknown, depth = 0): Layer[] {
  if (depth > depthLimit) return []
  if (Array.isArray(value)) return value.flatMap((element) => layersOf(element, depth + 1))
  if (typeof value !== "object" || value === null) return []
  const layer = value as Layer
  return [layer, ...nestedKeys.flatMap((key) => layersOf(layer[key], depth + 1))]
}

function messagesOf(layer: Layer): string[] {
  return messageKeys.map((key) => layer[key]).filter((text) => typeof text === "string" && text !== "") as string[]
}

function secondsOf(delay: unknown): number | undefined {
  const seconds = typeof delay === "string" ? /^(\d+(?:\.\d+)?)s$/.exec(delay)?.[1] : undefined
  return seconds === undefined ? undefined : Math.round(Number(seconds) * 1000)
}
