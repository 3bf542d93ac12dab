import { assistantMessage, part, session, toolState, userMessage } from "@pawl/core/schemas"
import { describe, expect, it } from "vitest"
import {
  messageID,
  partID,
  sampleAssistantMessage,
  sampleFullSession,
  samplePart,
  sampleParts,
  sampleSession,
  sampleText,
  sampleToolStates,
  sampleUserMessage,
  sessionID,
} from "./samples.ts"

const [id, message] = [sessionID(1), messageID(1)]
const parts = sampleParts(id, message)

/** The part of a zod schema that this test walks. */
interface Schema {
  readonly def: {
    readonly type: string
    readonly shape?: Readonly<Record<string, Schema>>
    readonly options?: readonly Schema[]
    readonly innerType?: Schema
    readonly element?: Schema
    readonly values?: readonly unknown[]
  }
}

/** `state.time.end`: every path that a value of the schema may have; a literal adds its value. */
function schemaPaths({ def }: Schema, path = ""): string[] {
  if (def.type === "literal") return [`${path}=${String(def.values)}`]
  const below = [def.innerType, def.element, ...(def.options ?? [])].filter((schema) => schema !== undefined)
  const fields = Object.entries(def.shape ?? {}).flatMap(([name, schema]) => schemaPaths(schema, `${path}.${name}`))
  return [path, ...below.flatMap((schema) => schemaPaths(schema, path)), ...fields]
}

function valuePaths(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) return [path, ...value.flatMap((element) => valuePaths(element, path))]
  if (typeof value !== "object" || value === null) return [path, `${path}=${String(value)}`]
  return [path, ...Object.entries(value).flatMap(([name, field]) => valuePaths(field, `${path}.${name}`))]
}

describe("sampleParts", () => {
  it("has every field and every variant of every type of part", () => {
    const sampled = new Set(parts.flatMap((sample) => valuePaths(sample)))
    const possible = new Set(schemaPaths(part))
    expect(possible).toContain(".state.attachments.source.clientName")
    expect([...possible].filter((path) => !sampled.has(path))).toEqual([])
  })

  it.each(parts.map((sample) => [`${sample.type} ${sample.id}`, sample] as const))("has a valid %s", (_, sample) => {
    expect(part.parse(sample)).toEqual(sample)
  })

  it("numbers parts in the order given", () => {
    expect(parts.map((sample) => sample.id)).toEqual(parts.map((_, index) => partID(index + 1)))
    expect(parts.every((sample) => sample.sessionID === id && sample.messageID === message)).toBe(true)
  })
})

it("has a session with every field", () => {
  const full = sampleFullSession(id)
  expect(session.parse(full)).toEqual(full)
  const sampled = new Set(valuePaths(full))
  expect(schemaPaths(session).filter((path) => !sampled.has(path))).toEqual([])
})

it("samples each of the four states of a tool call", () => {
  const states = sampleToolStates()
  expect(states.map((state) => toolState.parse(state))).toEqual(states)
  expect(states.map(({ status }) => status)).toEqual(["pending", "running", "completed", "error"])
})

it("makes valid sessions and messages, with the fields asked for", () => {
  const samples = [
    [session, sampleSession(id, { title: "Mine" }), { title: "Mine" }],
    [userMessage, sampleUserMessage(id, message, { agent: "plan" }), { agent: "plan" }],
    [assistantMessage, sampleAssistantMessage(id, message, { cost: 7 }), { cost: 7 }],
    [part, sampleText(id, message, partID(1), { text: "Mine" }), { text: "Mine" }],
  ] as const
  for (const [schema, sample, fields] of samples) {
    expect(schema.parse(sample)).toEqual(sample)
    expect(sample).toMatchObject(fields)
  }
})

it("shares nothing between two samples", () => {
  const [first, second] = [sampleParts(id, message), sampleParts(id, message)]
  for (const sample of first) Object.assign(sample, { type: "changed" })
  expect(second).toEqual(parts)
})

it("gives ids that sort by their number", () => {
  for (const name of [sessionID, messageID, partID]) {
    const ids = [9, 10, 99, 100, 99_999].map(name)
    expect(ids.toSorted()).toEqual(ids)
  }
})

it("finds a part by its type and names a type that it does not have", () => {
  expect(samplePart("patch", id, message)).toEqual(parts.find(({ type }) => type === "patch"))
  expect(() => samplePart("nonsense" as "text", id, message)).toThrow('There is no sample part of type "nonsense".')
})
