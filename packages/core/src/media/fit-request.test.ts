import { describe, expect, it } from "vitest"
import type { FileContent, ModelInfo, ModelMessage } from "../contracts/model.ts"
import { file, image, pdf } from "../../test/corpus/media/files.ts"
import { createRequestFitter } from "./fit-request.ts"

const photo = (name: string, side = 8) => image(name, "image/png", { width: side, height: side })
const model = (more: Partial<ModelInfo> & { input?: ModelInfo["capabilities"]["input"] } = {}) => {
  const { input, ...others } = more
  const capabilities = { reasoning: false, attachment: true, toolCall: true, ...(input ? { input } : {}) }
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  const info: ModelInfo = { id: "m", name: "M", limit: { context: 0, output: 0 }, cost, capabilities, ...others }
  return { ref: { providerID: "acme", modelID: "m" }, info }
}
const user = (...files: FileContent[]): ModelMessage => {
  return { role: "user", content: [{ type: "text", text: "Look." }, ...files] }
}
const result = (...attachments: FileContent[]): ModelMessage => {
  const output = { type: "tool-result", callID: "c", name: "read", output: "Read.", isError: false } as const
  return { role: "tool", content: [{ ...output, attachments }] }
}
const texts = (messages: readonly ModelMessage[]) => JSON.stringify(messages)

describe("a request", () => {
  it("is the same value where the model takes everything", () => {
    const fit = createRequestFitter()
    const messages = [user(photo("a.png"), pdf("a.pdf")), result(photo("b.png"))]
    expect(fit(messages, model())).toBe(messages)
    expect(fit([user()], model({ input: ["text"] }))).toEqual([user()])
  })

  it.each<[string, FileContent, NonNullable<ModelInfo["capabilities"]["input"]>, string]>([
    ["images", photo("a.png"), ["text", "pdf"], "the model reads no images"],
    ["PDFs", pdf("a.pdf"), ["text", "image"], "the model reads no PDFs"],
    ["audio", file("a.wav", "audio/wav", Buffer.from("RIFF\0\0\0\0WAVEfmt ")), ["text"], "the model reads no audio"],
  ])("has words in place of %s that the model cannot read", (_what, given, input, reason) => {
    const words = `[The attached ${given.filename} (${given.mime}) is left out: ${reason}]`
    expect(createRequestFitter()([user(given), result(given, given)], model({ input }))).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "Look." },
          { type: "text", text: words },
        ],
      },
      {
        role: "tool",
        content: [
          { type: "tool-result", callID: "c", name: "read", output: `Read.\n${words}\n${words}`, isError: false },
        ],
      },
    ])
  })

  it("has words in place of what is too large for this model, though another one took it", () => {
    const fitted = createRequestFitter()([user(photo("a.png", 900))], model({ media: { imageSide: 500 } }))
    expect(texts(fitted)).toContain("900 × 900 pixels are more than the 500 on a side that the provider takes]")
  })

  it("has words in place of a document of too many pages, as far as they can be counted", () => {
    const pages = file("long.pdf", "application/pdf", Buffer.from(`%PDF-1.7\n${"/Type /Page\n".repeat(12)}`))
    const fit = createRequestFitter()
    const short = { media: { pdfPages: 10 } }
    expect(texts(fit([user(pages)], model(short)))).toContain("its 12 pages are more than the 10 that the model takes")
    expect(texts(fit([user(pdf("unknown.pdf"))], model(short)))).not.toContain("left out")
  })

  it("has words in place of the oldest images where there are too many", () => {
    const messages = Array.from({ length: 5 }, (_, at) => user(photo(`${at}.png`)))
    const fitted = createRequestFitter()(messages, model({ media: { imagesPerRequest: 4 } }))
    const names = fitted.flatMap(({ content }) =>
      content.flatMap((item) => (item.type === "file" ? [item.filename] : [])),
    )
    expect(names).toEqual(["2.png", "3.png", "4.png"])
    expect(texts(fitted)).toContain(
      "0.png (image/png) is left out: a request may have 4 images, and there are newer ones]",
    )
  })

  it("begins with the values of the one before it until an older file has to go", () => {
    const fit = createRequestFitter()
    const few = model({ media: { imagesPerRequest: 4 } })
    const messages: ModelMessage[] = []
    let before: ModelMessage[] = []
    const changes: number[] = []
    for (let at = 0; at < 12; at++) {
      messages.push(user(photo(`${at}.png`)))
      const now = fit([...messages], few)
      if (before.some((message, index) => message !== now[index])) changes.push(at)
      before = now
    }
    expect(changes).toEqual([4, 6, 8, 10])
  })

  it("holds the files again for a model that takes them", () => {
    const fit = createRequestFitter()
    const messages = [user(photo("a.png"))]
    expect(texts(fit(messages, model({ input: ["text"] })))).toContain("left out")
    expect(fit(messages, model())).toBe(messages)
  })
})
