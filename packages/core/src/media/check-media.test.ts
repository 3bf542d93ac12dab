import { describe, expect, it } from "vitest"
import { checkMedia } from "./check-media.ts"
import { file, image, pdf } from "../../test/corpus/media/files.ts"
import { broad, generous, strict } from "../../test/corpus/media/file-limits.ts"
import { defaultInputRules } from "../measure/default-input-rules.ts"

const MIB = 1_048_576
const limits = { strict, generous, broad, default: defaultInputRules.fileLimits }
const names = ["strict", "generous", "broad", "default"] as const
const photo = (width: number, height: number, bytes = 64) => image("a.jpg", "image/jpeg", { width, height, bytes })

describe("an image", () => {
  it.each(names)("of moderate size is taken within %s limits", (name) => {
    for (const mime of ["image/png", "image/jpeg", "image/webp"]) {
      expect(checkMedia(image("a", mime, { width: 1_024, height: 768 }), limits[name])).toEqual({
        type: "ok",
        mime,
      })
    }
  })

  it("of too many pixels is to be drawn smaller, in its proportions", () => {
    expect(checkMedia(photo(6_000, 3_000), strict)).toMatchObject({
      ...{ type: "downscale", width: 2_000, height: 1_000, bytes: 5 * MIB },
      reason: "its 6000 × 3000 pixels are more than the 2000 on a side that the provider takes",
    })
    expect(checkMedia(photo(2_000, 1_000), strict).type).toBe("ok")
    expect(checkMedia(photo(60_000, 3), strict)).toMatchObject({ width: 2_000, height: 1 })
  })

  it("of too many bytes is to be drawn anew, counted as they travel", () => {
    expect(checkMedia(photo(800, 600, 4 * MIB), strict)).toMatchObject({
      ...{ type: "downscale", width: 800, height: 600 },
      reason: "its 5.3 MB are more than the 5 MB that the provider takes",
    })
    expect(checkMedia(photo(800, 600, 3.7 * MIB), strict).type).toBe("ok")
    expect(checkMedia(photo(800, 600, 4 * MIB), generous).type).toBe("ok")
  })

  it("of a type that is not taken is to be converted if it can be drawn, else left out", () => {
    const gif = image("a.gif", "image/gif", { width: 10, height: 20 })
    expect(checkMedia(gif, generous).type).toBe("ok")
    expect(checkMedia(gif, broad)).toMatchObject({ type: "downscale", width: 10, height: 20 })
    expect(checkMedia(image("a.tif", "image/tiff", { width: 1, height: 1 }), strict)).toMatchObject({
      ...{ type: "downscale", width: 2_000, height: 2_000, mimes: strict.image.mimes },
    })
    expect(checkMedia(image("a.bmp", "image/bmp", { width: 1, height: 1 }), strict)).toEqual({
      type: "replace",
      reason: "the provider takes no image/bmp",
    })
    const drawing = file("a.svg", "image/svg+xml", Buffer.from("<svg/>"))
    expect(checkMedia(drawing, strict).type).toBe("downscale")
  })

  it("is called what it is, whatever it was called", () => {
    const png = image("a.png", "image/png", { width: 10, height: 10 })
    expect(checkMedia({ ...png, mime: "image/jpeg" }, strict)).toEqual({ type: "ok", mime: "image/png" })
    expect(checkMedia({ ...png, mime: "application/octet-stream" }, strict)).toEqual({
      type: "ok",
      mime: "image/png",
    })
  })

  it.each([
    ["is empty", "data:image/png;base64,", "it is empty"],
    ["is not encoded", "data:image/png,%89PNG", "it is not encoded in base64"],
    [
      "is none",
      file("a.png", "image/png", Buffer.from("<html>Not found</html>")).url,
      "it is called image/png, but its content is not an image",
    ],
    [
      "broke off in its header",
      file("a.png", "image/png", Buffer.from("\u{89}PNG\r\n\u{1A}\n\0\0", "latin1")).url,
      "its header is damaged",
    ],
  ])("that %s is left out", (_name, url, reason) => {
    expect(checkMedia({ mime: "image/png", url }, generous)).toEqual({ type: "replace", reason })
  })
})

describe("another file", () => {
  it("is taken where the provider reads its type", () => {
    const wav = file("a.wav", "audio/wav", Buffer.from("RIFF\0\0\0\0WAVEfmt "))
    const taken = names.filter((name) => checkMedia(wav, limits[name]).type === "ok")
    expect(taken).toEqual(["generous", "broad", "default"])
    expect(checkMedia(wav, strict)).toEqual({
      type: "replace",
      reason: "the provider takes no audio/wav",
    })
    expect(names.map((name) => checkMedia(pdf("a.pdf"), limits[name]).type)).toEqual(names.map(() => "ok"))
    const video = file("a.mp4", "video/mp4", Buffer.from("\0\0\0\0ftypisom"))
    expect(names.filter((name) => checkMedia(video, limits[name]).type === "ok")).toEqual(["broad"])
  })

  it("is left out when it is too large, or is not what it is called", () => {
    expect(checkMedia(pdf("a.pdf", 12 * MIB), broad)).toMatchObject({
      reason: expect.stringContaining("16 MB"),
    })
    expect(checkMedia(file("a.pdf", "application/pdf", Buffer.from("<html>")), generous)).toMatchObject({
      reason: "it is called a PDF, but its content is not a PDF",
    })
    const sound = file("a.mp3", "audio/mpeg", Buffer.alloc(12 * MIB))
    expect([checkMedia(sound, broad).type, checkMedia(sound, generous).type]).toEqual(["replace", "ok"])
  })

  it("of text is text, whatever it begins with", () => {
    const page = file("a.html", "text/html", Buffer.from("%PDF-1.7 is how they begin."))
    expect(checkMedia(page, generous)).toEqual({ type: "replace", reason: "the provider takes no text/html" })
  })

  it("on the web is judged by its type alone", () => {
    const url = "https://example.test/a"
    expect(checkMedia({ mime: "image/png", url }, broad).type).toBe("ok")
    expect(checkMedia({ mime: "image/gif", url }, broad).type).toBe("replace")
  })
})
