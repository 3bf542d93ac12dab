import { describe, expect, it } from "vitest"
import { decodeText, encodeText, shownText, toCarriageReturns, usesCarriageReturns } from "./text-file.ts"

describe("a file's bytes survive decoding and encoding", () => {
  const files: [string, string, Buffer][] = [
    ["utf-8", "größe 😀\r\n", Buffer.from("größe 😀\r\n")],
    ["utf-8-bom", "a\n", Buffer.from("\uFEFFa\n")],
    ["utf-16le", "aß\n", Buffer.from("\uFEFFaß\n", "utf16le")],
    ["utf-16be", "aß\n", Buffer.from("\uFEFFaß\n", "utf16le").swap16()],
    ["bytes", "caf\u00e9\n", Buffer.from("café\n", "latin1")],
    // Half a UTF-16 character at the end.
    ["bytes", "\u00ff\u00fea\u0000b", Buffer.from([0xff, 0xfe, 0x61, 0x00, 0x62])],
    ["utf-8", "", Buffer.alloc(0)],
  ]
  it.each(files)("%s", (encoding, text, bytes) => {
    expect(decodeText(bytes)).toEqual({ encoding, text })
    expect(encodeText(text, decodeText(bytes).encoding)).toEqual(bytes)
  })
})

it("shows what is no text as replacement characters", () => {
  expect(shownText(Buffer.from("café\n", "latin1"))).toBe("caf\uFFFD\n")
  expect(shownText(Buffer.from("\uFEFFaß", "utf16le"))).toBe("aß")
})

it("goes by the line end that most lines have", () => {
  expect(usesCarriageReturns("a\r\nb\r\nc\n")).toBe(true)
  expect(usesCarriageReturns("a\r\nb\nc\n")).toBe(false)
  expect(usesCarriageReturns("")).toBe(false)
  expect(toCarriageReturns("a\nb\r\n")).toBe("a\r\nb\r\n")
})
