import { describe, expect, it } from "vitest"
import { shapedURL, shapeOf } from "./shape.ts"

describe("the shape of a text", () => {
  it.each(["Say 42 times: héllo\n\t你好 𝐀 👩‍👩‍👧‍👦 e\u0301!", "", "plain", "٣ Ⅷ"])(
    "of %j is as long, and its own shape",
    (text) => {
      const shape = shapeOf(text)

      expect([shape.length, Buffer.byteLength(shape)]).toEqual([text.length, Buffer.byteLength(text)])
      expect(shapeOf(shape)).toBe(shape)
    },
  )

  it("has nothing of what was said but signs and lines", () => {
    expect(shapeOf("key=Ab9!\n  Größe")).toBe(
      "key=Ab9!\n  Größe"
        .replaceAll(/[a-zA-Z]/g, "x")
        .replace("9", "0")
        .replaceAll(/[öß]/g, "é"),
    )
  })

  it("of two joined texts is their joined shapes", () => {
    expect(shapeOf("Schön 42 Mal")).toBe(shapeOf("Schön ") + shapeOf("42 Mal"))
  })

  it("of content in a URL leaves its type", () => {
    expect(shapedURL("data:image/png;base64,AbC9")).toBe("data:image/png;base64,xxx0")
  })
})
