import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { AssistantMessage, MessageWithParts } from "../record/message.ts"
import { defaultInputRules } from "./default-input-rules.ts"
import { calibrationOf, defaultCalibration, type Measured, observe } from "./calibration.ts"

const small = { providerID: "acme", modelID: "small" }
const large = { providerID: "acme", modelID: "large" }
const noTokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }
const step = { bytes: 10_000, media: 0, observed: 2_500, estimate: 2_500 }

function answer(
  n: number,
  model: typeof small,
  measured?: Measured,
  info: Partial<AssistantMessage> = {},
): MessageWithParts {
  const owner = { id: `prt_${n}`, sessionID: "ses_1", messageID: `msg_${n}` } as const
  return {
    info: {
      ...{ id: `msg_${n}`, sessionID: "ses_1", role: "assistant", parentID: "msg_0", time: { created: n } },
      ...{ ...model, agent: "build", mode: "build", path: { cwd: "/", root: "/" }, cost: 0, tokens: noTokens },
      ...info,
    },
    parts: [
      { ...owner, type: "step-finish", reason: "stop", cost: 0, tokens: noTokens, ...(measured ? { measured } : {}) },
    ],
  }
}
const measured = (bytesPerToken: number) => ({ bytes: 1, estimate: 1, bytesPerToken, error: 0.1, samples: 3 })

describe("observe", () => {
  it("comes to a model's bytes per token from wherever it starts, and to an error of its estimates", () => {
    const ratio = fc.double({ min: 1.5, max: 8, noNaN: true })
    fc.assert(
      fc.property(ratio, fc.double({ min: 0.01, max: 0.5, noNaN: true }), (bytesPerToken, off) => {
        let known = defaultCalibration({})
        for (let turn = 0; turn < 12; turn++) {
          const observed = step.bytes / bytesPerToken
          known = observe(known, { ...step, observed, estimate: observed * (1 + off) })
        }
        expect(known.bytesPerToken / bytesPerToken).toBeCloseTo(1, 2)
        expect(known.error).toBeCloseTo(off, 2)
        expect(known.samples).toBe(12)
      }),
    )
  })

  it("is moved by one observation to twice or half at most, and never out of what tokenizers do", () => {
    const count = fc.integer({ min: 0, max: 1_000_000 })
    fc.assert(
      fc.property(fc.array(fc.record({ bytes: count, media: count, observed: count, estimate: count })), (steps) => {
        let known = defaultCalibration({})
        for (const each of steps) {
          const next = observe(known, each)
          const moved = next.bytesPerToken / known.bytesPerToken
          expect(moved).toBeGreaterThanOrEqual(0.4999)
          expect(moved).toBeLessThanOrEqual(2.0001)
          expect(next.bytesPerToken).toBeGreaterThanOrEqual(0.9999)
          expect(next.bytesPerToken).toBeLessThanOrEqual(12.0001)
          expect(next.error).toBeGreaterThanOrEqual(0)
          expect(next.error).toBeLessThanOrEqual(1)
          known = next
        }
      }),
    )
  })

  it("forgets a single wrong report within a few turns", () => {
    let known = { bytesPerToken: 4, error: 0, samples: 10 }
    known = observe(known, { ...step, observed: 900 })
    expect(known.bytesPerToken).toBeGreaterThan(5)
    for (let turn = 0; turn < 5; turn++) known = observe(known, step)
    expect(known.bytesPerToken).toBeCloseTo(4, 0)
  })

  it("learns nothing of a count that no tokenizer makes", () => {
    const known = { bytesPerToken: 4, error: 0.2, samples: 10 }
    expect(observe(known, { ...step, observed: 800 })).toMatchObject(known)
    expect(observe(known, { ...step, observed: 10_001 })).toMatchObject(known)
    expect(observe(known, { ...step, observed: 10_000 }).bytesPerToken).toBeLessThan(4)
    expect(observe(known, { ...step, observed: 850 })).not.toMatchObject(known)
  })

  it("learns nothing where the provider did not count, but keeps what was measured", () => {
    const known = { bytesPerToken: 3, error: 0.2, samples: 4 }
    expect(observe(known, { ...step, observed: 0, estimate: 3_333 })).toEqual({
      ...known,
      bytes: 10_000,
      estimate: 3_333,
    })
    expect(observe(known, { ...step, observed: 500, media: 600 })).toMatchObject(known)
  })

  it("learns of text from the tokens that are no media, and less where media prevail", () => {
    const known = { bytesPerToken: 4, error: 0.1, samples: 0 }
    expect(observe(known, { ...step, observed: 5_000 }).bytesPerToken).toBeCloseTo(2, 5)
    expect(observe(known, { ...step, observed: 7_500, media: 5_000 }).bytesPerToken).toBeCloseTo(4, 5)
    const moved = observe(known, { ...step, observed: 50_000, media: 45_000 }).bytesPerToken
    expect(moved).toBeGreaterThan(3.5)
    expect(moved).toBeLessThan(4)
  })
})

describe("calibrationOf", () => {
  it("is what the newest step of the same model has learned", () => {
    const messages = [
      answer(1, small, measured(3)),
      answer(2, small, measured(5)),
      answer(3, large, measured(7)),
      answer(4, small),
    ]
    expect(calibrationOf(messages, { ref: small })).toMatchObject({ bytesPerToken: 5, error: 0.1, samples: 3 })
    expect(calibrationOf(messages, { ref: large }).bytesPerToken).toBe(7)
  })

  it("goes on from a summary that the same model wrote", () => {
    const messages = [answer(1, small, measured(3)), answer(2, small, measured(5), { summary: true })]
    expect(calibrationOf(messages, { ref: small }).bytesPerToken).toBe(5)
  })

  it("starts with the default of the model's rules", () => {
    const messages = [answer(1, large, measured(7))]
    const inputRules = { ...defaultInputRules, bytesPerToken: 3.5 }
    expect(calibrationOf(messages, { ref: small })).toEqual({ bytesPerToken: 4, error: 0.25, samples: 0 })
    expect(calibrationOf([], { ref: small, inputRules }).bytesPerToken).toBe(3.5)
  })
})
