import { type JSONObject, type ModelEvent, PROVIDER_ERROR_KINDS, ProviderError } from "@pawl/core/provider"
import type { ReplyStep } from "../reply/reply.ts"
import { MAX_TIMER_MS } from "../reply/pause.ts"
import { words } from "../reply/words.ts"
import { readChoice, readFields, readName, readNumber, readString, ScriptFault } from "./script-fault.ts"

type Fields = Readonly<Record<string, unknown>>

interface ItemForm {
  /** Other keys that the item may have. */
  readonly others: readonly string[]
  readonly read: (fields: Fields) => ReplyStep
}

/** The items of a reply, by the key that names them. */
const forms: Readonly<Record<string, ItemForm>> = {
  text: {
    others: [],
    read: ({ text }) => ({ type: "text", chunks: words(readString(text, "text")) }),
  },
  reasoning: {
    others: ["metadata"],
    read: ({ reasoning, metadata }) => ({
      type: "reasoning",
      chunks: words(readString(reasoning, "reasoning")),
      metadata: metadata === undefined ? undefined : readObject(metadata, "metadata"),
    }),
  },
  tool: {
    others: ["input", "arguments", "id", "metadata"],
    read: (fields) => ({
      type: "call",
      name: readName(fields["tool"], "tool"),
      id: fields["id"] === undefined ? undefined : readString(fields["id"], "id"),
      chunks: words(readArguments(fields)),
      metadata: fields["metadata"] === undefined ? undefined : readObject(fields["metadata"], "metadata"),
    }),
  },
  wait: {
    others: [],
    read: (fields) => ({ type: "wait", milliseconds: readNumber(fields["wait"], "wait", MAX_TIMER_MS) }),
  },
  stall: {
    others: [],
    read: ({ stall }) => {
      if (stall !== true) throw new ScriptFault(`stall must be true, got ${JSON.stringify(stall)}.`)
      return { type: "stall" }
    },
  },
  error: {
    others: [],
    read: ({ error }) => ({ type: "fail", error: readError(error) }),
  },
  event: {
    others: [],
    read: ({ event }) => readEvent(event),
  },
}

export const itemKeys: readonly string[] = Object.entries(forms).flatMap(([name, { others }]) => [name, ...others])

/** Throws ScriptFault. */
export function readItem(value: unknown): ReplyStep {
  const fields = readFields(value, "An item", itemKeys)
  const names = Object.keys(fields).filter((key) => key in forms)
  const [name] = names
  const form = name === undefined ? undefined : forms[name]
  if (name === undefined || form === undefined || names.length > 1) {
    throw new ScriptFault(`An item needs one of ${Object.keys(forms).join(", ")}, got ${JSON.stringify(value)}.`)
  }
  return form.read(readFields(value, `An item with "${name}"`, [name, ...form.others]))
}

function readArguments({ input, arguments: raw }: Fields): string {
  if (raw === undefined) return JSON.stringify(input ?? {})
  if (input === undefined) return readString(raw, "arguments")
  throw new ScriptFault(`A tool call has "input" or "arguments", not both.`)
}

function readError(value: unknown): ProviderError {
  const { kind, message, ...numbers } = readFields(value, "error", ["kind", "message", "retryAfter", "statusCode"])
  const known = readChoice(kind, "error.kind", PROVIDER_ERROR_KINDS)
  const words = message === undefined ? `The script answers with "${known}".` : readString(message, "error.message")
  return new ProviderError(known, words, {
    providerID: "replay",
    retryAfter: optionalNumber(numbers["retryAfter"], "error.retryAfter"),
    statusCode: optionalNumber(numbers["statusCode"], "error.statusCode"),
  })
}

function optionalNumber(value: unknown, what: string): number | undefined {
  return value === undefined ? undefined : readNumber(value, what)
}

// Events without an item of their own, such as results of tools that the provider ran.
function readEvent(value: unknown): ModelEvent {
  const event = readObject(value, "event")
  const id = readString(event["id"], "event.id")
  const name = readString(event["name"], "event.name")
  switch (readChoice(event["type"], "event.type", ["tool-call", "tool-result", "tool-error"])) {
    case "tool-call":
      return { type: "tool-call", id, name, input: readString(event["input"], "event.input"), providerExecuted: true }
    case "tool-error":
      return { type: "tool-error", id, name, error: readString(event["error"], "event.error") }
    case "tool-result":
    default:
      return { type: "tool-result", id, name, output: event["output"] ?? null }
  }
}

function readObject(value: unknown, what: string): JSONObject {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JSONObject
  throw new ScriptFault(`${what} must be an object, got ${JSON.stringify(value)}.`)
}
