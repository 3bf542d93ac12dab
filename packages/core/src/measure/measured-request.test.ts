import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { AssistantMessage, CompactionPart, MessageWithParts, Part } from "../record/message.ts"
import type { Measurement, Size } from "./measure.ts"
import { lastUsage, preflight } from "./measured-request.ts"

const small = { providerID: "acme", modelID: "small" }
const known = { bytesPerToken: 4, error: 0.05, samples: 6 }

function measurement(system: number, tools: number, messages: readonly Size[]): Measurement {
  const sum = (key: keyof Size) => messages.reduce((total, size) => total + size[key], 0)
  return { bytes: { system, tools, messages: sum("bytes") }, media: sum("media"), messages }
}
const text = (bytes: number) => ({ bytes, media: 0 })

describe("preflight", () => {
  it("adds to what the provider counted what was added since", () => {
    const request = measurement(400, 800, [text(400), text(400), text(2_000)])
    const expected = preflight(request, known, { bytes: 2_000, observed: 900 })
    expect(expected).toEqual({ tokens: 1_400, system: 140, tools: 280, messages: 980, media: 0, margin: 375 })
  })

  it("estimates all of a request that was cut, and of the first", () => {
    const request = measurement(400, 800, [text(800)])
    const expected = { tokens: 500, system: 100, tools: 200, messages: 200, media: 0, margin: 50 }
    expect(preflight(request, known, { bytes: 2_001, observed: 900 })).toEqual(expected)
    expect(preflight(request, known)).toEqual(expected)
    expect(preflight(request, { ...known, error: 0.2 }).margin).toBe(200)
  })

  it("counts only those images anew that the last request did not have", () => {
    const messages = [{ bytes: 100, media: 1_600 }, text(300), { bytes: 400, media: 1_000 }]
    const request = measurement(0, 0, messages)
    expect(preflight(request, known, { bytes: 400, observed: 1_700 })).toMatchObject({ tokens: 2_800, media: 2_600 })
    expect(preflight(request, known, { bytes: 800, observed: 2_900 })).toMatchObject({ tokens: 2_900, media: 2_600 })
    expect(preflight(request, known)).toMatchObject({ tokens: 2_800, media: 2_600 })
  })

  it("names shares that are whole, not negative, and add up", () => {
    const bytes = fc.nat({ max: 1_000_000 })
    const sizes = fc.array(fc.record({ bytes, media: fc.nat({ max: 5_000 }) }), { maxLength: 8 })
    const last = fc.option(fc.record({ bytes, observed: bytes }), { nil: undefined })
    fc.assert(
      fc.property(bytes, bytes, sizes, last, (system, tools, messages, last) => {
        const { tokens, margin, ...shares } = preflight(measurement(system, tools, messages), known, last)
        const parts = Object.values(shares)
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(tokens)
        expect([...parts, margin].every((part) => Number.isInteger(part) && part >= 0)).toBe(true)
      }),
    )
  })
})

const tokens = { input: 100, output: 50, reasoning: 0, cache: { read: 700, write: 100 } }
const none = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }
let made = 0
const owner = () => ({ id: `prt_${++made}`, sessionID: "ses_1", messageID: "msg_1" }) as const

function answer(id: number, info: Partial<AssistantMessage> = {}, used = tokens): MessageWithParts {
  const measured = { bytes: id * 1_000, estimate: 1, ...known }
  return {
    info: {
      ...{ id: `msg_${id}`, sessionID: "ses_1", role: "assistant", parentID: "msg_1", time: { created: id } },
      ...{ ...small, agent: "build", mode: "build", path: { cwd: "/", root: "/" }, cost: 0, tokens: used, ...info },
    },
    parts: [{ ...owner(), type: "step-finish", reason: "stop", cost: 0, tokens: used, measured }],
  }
}
function user(id: number, ...parts: Part[]): MessageWithParts {
  const info = { id: `msg_${id}`, sessionID: "ses_1", role: "user", agent: "build", model: small } as const
  return { info: { ...info, time: { created: id } }, parts }
}
const marker = (id: number, part: Partial<CompactionPart> = {}) => {
  return user(id, { ...owner(), type: "compaction", auto: true, ...part })
}

describe("lastUsage", () => {
  it("is the newest step that was measured and counted, its cache included", () => {
    const broken = { ...answer(4), parts: [] }
    expect(lastUsage([user(1), answer(2), answer(3), broken, user(5)], small)).toEqual({ bytes: 3_000, observed: 900 })
  })

  it("is nothing after another model, and where the provider did not count", () => {
    expect(lastUsage([answer(2), answer(3, { modelID: "large" })], small)).toBeUndefined()
    expect(lastUsage([answer(2), answer(3, {}, none)], small)).toBeUndefined()
    expect(lastUsage([], small)).toBeUndefined()
  })

  it("is nothing behind a compaction, until a step follows it", () => {
    const summary = answer(4, { parentID: "msg_3", summary: true, finish: "stop" })
    const compacted = [answer(2), marker(3), summary]
    expect(lastUsage(compacted, small)).toBeUndefined()
    expect(lastUsage([...compacted, user(5), answer(6)], small)?.bytes).toBe(6_000)
  })

  it("looks past a compaction that is not in effect: prepared, asked for, or failed", () => {
    const summary = answer(4, { parentID: "msg_3", summary: true, finish: "stop" })
    expect(lastUsage([answer(2), marker(3, { prepared: true }), summary], small)?.bytes).toBe(2_000)
    expect(lastUsage([answer(2), marker(3)], small)?.bytes).toBe(2_000)
    const error = { name: "UnknownError", data: { message: "No." } }
    const failed = answer(4, { parentID: "msg_3", summary: true, error })
    expect(lastUsage([answer(2), marker(3), failed], small)?.bytes).toBe(2_000)
  })
})
