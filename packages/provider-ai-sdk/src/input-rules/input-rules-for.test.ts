import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { inputRulesFor } from "./input-rules-for.ts"

const claude = inputRulesFor({ providerID: "anthropic", modelID: "claude-sonnet-4-5" })!
const gpt = inputRulesFor({ providerID: "openai", modelID: "gpt-4o" })!
const gemini = inputRulesFor({ providerID: "google", modelID: "gemini-2.5-pro" })!
const all = [claude, gpt, gemini]

it("has rules for the models of known vendors, the same at each call", () => {
  expect(inputRulesFor({ providerID: "openrouter", modelID: "anthropic/claude-opus-4-1" })).toBe(claude)
  expect(inputRulesFor({ providerID: "local", modelID: "llama-4" })).toBeUndefined()
})

it("begins with shorter tokens for Claude", () => {
  expect(all.map(({ bytesPerToken }) => bytesPerToken)).toEqual([3.5, 4, 4])
})

describe("an image", () => {
  it.each([
    ["Claude", claude, 200, 200, 54],
    ["Claude", claude, 1_000, 1_000, 1_334],
    // Scaled to 1,568 by 784.
    ["Claude", claude, 3_136, 1_568, 1_600],
    ["Claude", claude, 3_136, 300, 314],
    ["GPT", gpt, 512, 512, 255],
    ["GPT", gpt, 1_024, 1_024, 765],
    ["GPT", gpt, 2_048, 4_096, 1_105],
    ["Gemini", gemini, 384, 384, 258],
    ["Gemini", gemini, 385, 100, 258],
    ["Gemini", gemini, 960, 540, 516],
    ["Gemini", gemini, 1_536, 1_537, 1_548],
  ])("costs with %s", (_name, { fileTokens }, width, height, tokens) => {
    expect(fileTokens.image({ width, height })).toBe(tokens)
  })

  it("costs a whole number of tokens, at least one, whatever its size", () => {
    const side = fc.integer({ min: 1, max: 50_000 })
    fc.assert(
      fc.property(side, side, fc.constantFrom(...all), (width, height, rules) => {
        const tokens = rules.fileTokens.image({ width, height })
        expect(Number.isInteger(tokens) && tokens >= 1).toBe(true)
        if (rules !== gemini) expect(tokens).toBeLessThanOrEqual(1_600)
      }),
    )
  })

  it("of unknown size counts as a large one", () => {
    expect(all.map(({ fileTokens }) => fileTokens.anyImage)).toEqual([1_600, 1_105, 1_032])
  })
})

it("counts pages and seconds as the vendors do", () => {
  expect(all.map(({ fileTokens }) => [fileTokens.page, fileTokens.second])).toEqual([
    [3_000, 32],
    [2_000, 10],
    [258, 32],
  ])
})

it("knows which files the vendors take", () => {
  const takesGIF = all.map(({ fileLimits }) => fileLimits.image.mimes.includes("image/gif"))
  const takesSpeech = all.map(({ fileLimits }) => fileLimits.audio?.mimes.includes("audio/wav") === true)
  const takesVideo = all.map(({ fileLimits }) => fileLimits.video !== undefined)
  expect([takesGIF, takesSpeech, takesVideo]).toEqual([
    [true, true, false],
    [false, true, true],
    [false, false, true],
  ])
  for (const { fileLimits } of all) {
    expect(fileLimits.image.mimes).toEqual(expect.arrayContaining(["image/png", "image/jpeg", "image/webp"]))
    expect(fileLimits.document?.bytes).toBeLessThanOrEqual(fileLimits.requestBytes)
  }
})
