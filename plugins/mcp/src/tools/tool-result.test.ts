import { describe, expect, it } from "vitest"
import { toToolResult } from "./tool-result.ts"

const PNG = "iVBORw0KGgo="
const result = (answer: object) => toToolResult("s", "t", answer as Record<string, unknown>)

describe("a server's answer", () => {
  it("is its texts, joined by blank lines", () => {
    expect(
      result({
        content: [
          { type: "text", text: "one" },
          { type: "text", text: "zwei 🐾" },
        ],
      }),
    ).toMatchObject({
      title: "s: t",
      output: "one\n\nzwei 🐾",
    })
  })

  it("has images, audio and embedded files as attachments", () => {
    const { output, attachments } = result({
      content: [
        { type: "image", data: PNG, mimeType: "image/png" },
        { type: "audio", data: "UklGRg==", mimeType: "audio/wav" },
        { type: "resource", resource: { uri: "file:///a/b.pdf", blob: "JVBERg==", mimeType: "application/pdf" } },
      ],
    })

    expect(output).toBe("3 files attached.")
    expect(attachments?.map(({ mime, filename }) => [mime, filename])).toEqual([
      ["image/png", undefined],
      ["audio/wav", undefined],
      ["application/pdf", "b.pdf"],
    ])
  })

  it("has embedded texts and links with their address", () => {
    const { output } = result({
      content: [
        { type: "resource", resource: { uri: "x://a", text: "inside" } },
        { type: "resource_link", uri: "x://b", name: "b", mimeType: "text/plain", description: "more" },
      ],
    })

    expect(output).toBe('<resource uri="x://a">\ninside\n</resource>\n\n[Resource b: x://b (text/plain, more)]')
  })

  it("is its structured content where it has no words, and keeps it beside them", () => {
    expect(result({ content: [], structuredContent: { a: 1 } }).output).toBe('{"a":1}')
    const both = result({ content: [{ type: "text", text: "one" }], structuredContent: { a: 1 } })
    expect(both).toMatchObject({ output: "one", metadata: { structuredContent: { a: 1 } } })
  })

  it("that is an error throws its text", () => {
    expect(() => result({ content: [{ type: "text", text: "it broke" }], isError: true })).toThrow("it broke")
    expect(() => result({ isError: true })).toThrow("without saying why")
  })

  it.each([
    [{ type: "image", data: "x".repeat(15_000_000), mimeType: "image/png" }, "more than can be shown"],
    [{ type: "image", data: "no base64!", mimeType: "image/png" }, "not valid base64"],
    [{ type: "image", data: PNG, mimeType: "image/tiff" }, "cannot be shown"],
    [{ type: "hologram", beam: 1 }, '{"type":"hologram","beam":1}'],
    [null, "null"],
    [{ type: "text", text: 5 }, "(no output)"],
    [{ type: "text", text: "half \ud83d" }, "half \ufffd"],
  ])("with content that cannot be shown says so", (block, words) => {
    const { output, attachments } = result({ content: [block] })

    expect(output).toContain(words)
    expect(attachments).toBeUndefined()
  })

  it("is cut where it is huge", () => {
    const { output } = result({
      content: [
        { type: "text", text: "y".repeat(20_000_000) },
        { type: "text", text: "more" },
      ],
    })

    expect(output.length).toBeLessThan(17_000_000)
    expect(output).toContain("characters left out]")
  })

  it.each([{}, { content: "text" }, { content: null }])("%j is no output", (answer) => {
    expect(result(answer).output).toBe("(no output)")
  })
})
