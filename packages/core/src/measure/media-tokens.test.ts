import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { mediaFacts, mediaTokens } from "./media-tokens.ts"

const claude = { providerID: "anthropic", modelID: "claude-sonnet-4-5" }
const gpt = { providerID: "openai", modelID: "gpt-4o" }
const gemini = { providerID: "google", modelID: "gemini-2.5-pro" }
const llama = { providerID: "local", modelID: "llama-4" }
const models = [claude, gpt, gemini, llama]

const image = (width: number, height: number) => ({ type: "image", size: { width, height } }) as const
const dataURL = (mime: string, bytes: string | Uint8Array) => {
  return { mime, url: `data:${mime};base64,${Buffer.from(bytes as string).toString("base64")}` }
}
const pdf = (text: string) => mediaFacts(dataURL("application/pdf", text))

describe("an image", () => {
  it.each([
    [claude, 200, 200, 54],
    [claude, 1_000, 1_000, 1_334],
    // Scaled to 1,568 by 784.
    [claude, 3_136, 1_568, 1_600],
    [claude, 3_136, 300, 314],
    [gpt, 512, 512, 255],
    [gpt, 1_024, 1_024, 765],
    [gpt, 2_048, 4_096, 1_105],
    [gemini, 384, 384, 258],
    [gemini, 385, 100, 258],
    [gemini, 960, 540, 516],
    [gemini, 1_536, 1_537, 1_548],
    [llama, 750, 1_000, 1_000],
    [llama, 10_000, 10_000, 6_400],
  ])("costs with %o at %i by %i: %i", (model, width, height, tokens) => {
    expect(mediaTokens(image(width, height), model)).toBe(tokens)
  })

  it("costs a whole number of tokens, at least one, whatever its size", () => {
    const side = fc.integer({ min: 1, max: 50_000 })
    fc.assert(
      fc.property(side, side, fc.constantFrom(...models), (width, height, model) => {
        const tokens = mediaTokens(image(width, height), model)
        expect(Number.isInteger(tokens) && tokens >= 1).toBe(true)
        if (model !== gemini) expect(tokens).toBeLessThanOrEqual(6_400)
      }),
    )
  })

  it("of unknown size counts as a large one", () => {
    const facts = mediaFacts({ mime: "image/png", url: "https://example.com/a.png" })
    expect(models.map((model) => mediaTokens(facts, model))).toEqual([1_600, 1_105, 1_032, 1_600])
  })
})

describe("a document", () => {
  it("counts the pages that it states first", () => {
    expect(pdf("%PDF-1.5\n1 0 obj <</Linearized 1/L 9/H [ 1 2 ]/O 3/E 4/N 12/T 5>>")).toEqual({
      type: "pdf",
      pages: 12,
    })
  })

  it("counts the pages that stand in it", () => {
    const pages = "<</Type /Page /Parent 2 0 R>> <</Type/Page>>"
    expect(pdf(`%PDF-1.4\n<</Type /Pages /Count 2>> ${pages}`)).toEqual({ type: "pdf", pages: 2 })
  })

  it("is judged by its size where its pages are packed, within limits", () => {
    expect(pdf("%PDF-1.7")).toEqual({ type: "pdf", pages: 1 })
    expect(pdf(`%PDF-1.7${"x".repeat(600_000)}`)).toEqual({ type: "pdf", pages: 10 })
    expect(pdf(`%PDF-1.7${"x".repeat(9_000_000)}`)).toEqual({ type: "pdf", pages: 100 })
  })

  it("costs by page what the provider makes of one", () => {
    expect(models.map((model) => mediaTokens({ type: "pdf", pages: 2 }, model))).toEqual([6_000, 4_000, 516, 6_000])
  })
})

describe("a recording", () => {
  it("lasts as long as its header says", () => {
    const wav = Buffer.alloc(160_000)
    wav.write("RIFF____WAVEfmt ", 0, "latin1")
    wav.writeUInt32LE(32_000, 28)
    expect(mediaFacts(dataURL("audio/wav", wav))).toEqual({ type: "audio", seconds: 5 })
  })

  it("lasts as long as compressed speech of its size", () => {
    const facts = mediaFacts(dataURL("audio/mpeg", Buffer.alloc(80_000)))
    expect(facts).toEqual({ type: "audio", seconds: 10 })
    expect(models.map((model) => mediaTokens(facts, model))).toEqual([320, 100, 320, 320])
  })
})

it("counts what nobody knows by its bytes, with a cap", () => {
  expect(mediaTokens(mediaFacts(dataURL("application/zip", "x".repeat(1_600))), claude)).toBe(100)
  expect(mediaTokens(mediaFacts(dataURL("video/mp4", "x".repeat(1_000_000))), claude)).toBe(20_000)
  expect(mediaTokens(mediaFacts({ mime: "video/mp4", url: "https://example.com/a.mp4" }), claude)).toBe(6_250)
})
