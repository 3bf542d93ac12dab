import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { defaultInputRules } from "./default-input-rules.ts"
import { mediaFacts, mediaTokens } from "./media-tokens.ts"

const plain = {}
const fileTokens = { image: ({ width }: { readonly width: number }) => width, anyImage: 9, page: 5, second: 2 }
const own = { inputRules: { ...defaultInputRules, fileTokens } }
const models = [plain, own]

const image = (width: number, height: number) => ({ type: "image", size: { width, height } }) as const
const dataURL = (mime: string, bytes: string | Uint8Array) => {
  return { mime, url: `data:${mime};base64,${Buffer.from(bytes as string).toString("base64")}` }
}
const pdf = (text: string) => mediaFacts(dataURL("application/pdf", text))

describe("an image", () => {
  it("costs what the model's rules say", () => {
    expect(models.map((model) => mediaTokens(image(750, 1_000), model))).toEqual([1_000, 750])
    expect(mediaTokens(image(10_000, 10_000), plain)).toBe(6_400)
  })

  it("costs a whole number of tokens, at least one, whatever its size", () => {
    const side = fc.integer({ min: 1, max: 50_000 })
    fc.assert(
      fc.property(side, side, (width, height) => {
        const tokens = mediaTokens(image(width, height), plain)
        expect(Number.isInteger(tokens) && tokens >= 1 && tokens <= 6_400).toBe(true)
      }),
    )
  })

  it("of unknown size counts as a large one", () => {
    const facts = mediaFacts({ mime: "image/png", url: "https://example.com/a.png" })
    expect(models.map((model) => mediaTokens(facts, model))).toEqual([1_600, 9])
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
    expect(models.map((model) => mediaTokens({ type: "pdf", pages: 2 }, model))).toEqual([6_000, 10])
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
    expect(models.map((model) => mediaTokens(facts, model))).toEqual([320, 20])
  })
})

it("counts what nobody knows by its bytes, with a cap", () => {
  expect(mediaTokens(mediaFacts(dataURL("application/zip", "x".repeat(1_600))), plain)).toBe(100)
  expect(mediaTokens(mediaFacts(dataURL("video/mp4", "x".repeat(1_000_000))), plain)).toBe(20_000)
  expect(mediaTokens(mediaFacts({ mime: "video/mp4", url: "https://example.com/a.mp4" }), plain)).toBe(6_250)
})
