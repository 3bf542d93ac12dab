import { isObject, show } from "../json-object.ts"
import type { Usage } from "./finish.ts"
import { errorKinds, type ErrorKind } from "./error-kind.ts"
import { contextOverflow, httpError, overloaded, quotaExhausted, rateLimit, unauthorized } from "./http-error.ts"
import { empty, type Reply } from "./reply.ts"
import * as steps from "./step.ts"

/** The keys of a script file. Each function reads the value, or throws an error that begins with `place`. */
export type Words<Result> = Readonly<Record<string, (value: unknown, place: string) => Result>>

/** Keys for the steps and settings of a reply. */
export const stepWords: Words<steps.Step | steps.Setting> = {
  start: flag(steps.start),
  text: (value, place) => steps.text(toChunks(value, place)),
  reasoning: toReasoning,
  tool: toCall,
  deltas: toDeltas,
  wait: (value, place) => steps.wait(toNumber(value, place)),
  pings: toPings,
  badJson: flag(steps.badJson),
  streamError: toStreamError,
  cut: flag(steps.cut),
  end: flag(steps.end),
  stall: flag(steps.stall),
  finish: (value, place) => steps.finish(toText(value, place)),
  usage: toUsage,
}

/** Keys that define a complete reply. */
export const replyWords: Words<Reply> = {
  httpError: toHttpError,
  rateLimit: (value, place) => {
    const { retryAfter } = toFields(value, place, ["retryAfter"])
    return rateLimit(retryAfter === undefined ? {} : { retryAfter: toNumber(retryAfter, `${place}.retryAfter`) })
  },
  unauthorized: flag(() => unauthorized()),
  contextOverflow: flag(() => contextOverflow()),
  overloaded: flag(() => overloaded()),
  quotaExhausted: flag(() => quotaExhausted()),
  empty: flag(empty),
}

function flag<Result>(create: () => Result) {
  return (value: unknown, place: string): Result => {
    if (value !== true) throw new Error(`${place} takes the value true; got ${show(value)}.`)
    return create()
  }
}

function toCall(value: unknown, place: string): steps.Step {
  const { name, input = {}, id } = toFields(value, place, ["name", "input", "id"])
  const isInput = typeof input === "string" || (typeof input === "object" && input !== null)
  if (!isInput) throw new Error(`${place}.input is an object, a string or an array of strings; got ${show(input)}.`)
  return steps.call(toText(name, `${place}.name`), input, id === undefined ? {} : { id: toText(id, `${place}.id`) })
}

function toReasoning(value: unknown, place: string): steps.Step {
  if (!isObject(value)) return steps.reasoning(toChunks(value, place))
  const { text, signature } = toFields(value, place, ["text", "signature"])
  const options = signature === undefined ? {} : { signature: toText(signature, `${place}.signature`) }
  return steps.reasoning(toChunks(text, `${place}.text`), options)
}

function toStreamError(value: unknown, place: string): steps.Step {
  if (!isObject(value)) return steps.streamError(toText(value, place))
  const { message, code, kind } = toFields(value, place, ["message", "code", "kind"])
  return steps.streamError(toText(message, `${place}.message`), {
    ...(code === undefined ? {} : { code: toText(code, `${place}.code`) }),
    ...(kind === undefined ? {} : { kind: toKind(kind, `${place}.kind`) }),
  })
}

function toDeltas(value: unknown, place: string): steps.Step {
  const { text, count } = toFields(value, place, ["text", "count"])
  return steps.deltas({ text: toChunks(text, `${place}.text`), count: toNumber(count, `${place}.count`) })
}

function toPings(value: unknown, place: string): steps.Step {
  const { every, times } = toFields(value, place, ["every", "times"])
  return steps.pings({
    every: toNumber(every, `${place}.every`),
    ...(times === undefined ? {} : { times: toNumber(times, `${place}.times`) }),
  })
}

function toUsage(value: unknown, place: string): steps.Setting {
  const counts: { -readonly [Key in keyof Usage]: Usage[Key] } = {}
  const names = ["inputTokens", "outputTokens", "cachedTokens", "cacheWriteTokens", "reasoningTokens"] as const
  const fields = toFields(value, place, [...names, "raw"])
  if (fields["raw"] !== undefined) counts.raw = fields["raw"]
  for (const name of names) {
    if (fields[name] !== undefined) counts[name] = toNumber(fields[name], `${place}.${name}`)
  }
  return steps.usage(counts)
}

function toHttpError(value: unknown, place: string): Reply {
  const names = ["status", "kind", "message", "code", "headers", "body"] as const
  const { status, kind, message, code, headers, body } = toFields(value, place, names)
  return httpError(toNumber(status, `${place}.status`), {
    ...(kind === undefined ? {} : { kind: toKind(kind, `${place}.kind`) }),
    ...(message === undefined ? {} : { message: toText(message, `${place}.message`) }),
    ...(code === undefined ? {} : { code: toText(code, `${place}.code`) }),
    ...(headers === undefined ? {} : { headers: toHeaders(headers, `${place}.headers`) }),
    body,
  })
}

function toKind(value: unknown, place: string): ErrorKind {
  const kind = errorKinds.find((known) => known === value)
  if (kind === undefined) throw new Error(`${place} is one of ${errorKinds.join(", ")}; got ${show(value)}.`)
  return kind
}

function toHeaders(value: unknown, place: string): Record<string, string> {
  if (!isObject(value)) throw new Error(`${place} is an object of strings; got ${show(value)}.`)
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, toText(text, `${place}.${name}`)]))
}

function toFields<Key extends string>(value: unknown, place: string, known: readonly Key[]) {
  if (!isObject(value)) throw new Error(`${place} is an object with ${known.join(", ")}; got ${show(value)}.`)
  const unknown = Object.keys(value).find((key) => !known.some((name) => name === key))
  if (unknown !== undefined) throw new Error(`${place} has no "${unknown}". Known: ${known.join(", ")}.`)
  return value as Partial<Record<Key, unknown>>
}

function toChunks(value: unknown, place: string): string | string[] {
  if (typeof value === "string") return value
  if (Array.isArray(value) && value.every((chunk) => typeof chunk === "string")) return value
  throw new Error(`${place} is a string or an array of strings; got ${show(value)}.`)
}

function toText(value: unknown, place: string): string {
  if (typeof value === "string") return value
  throw new Error(`${place} is a string; got ${show(value)}.`)
}

function toNumber(value: unknown, place: string): number {
  if (typeof value === "number" && Number.isFinite(value)) return value
  throw new Error(`${place} is a number; got ${typeof value === "number" ? value : show(value)}.`)
}
