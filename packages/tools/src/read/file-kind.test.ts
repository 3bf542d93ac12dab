import { expect, it } from "vitest"
import { fileKind } from "./file-kind.ts"

const latin1 = (text: string) => Buffer.from(text, "latin1")

it.each([
  ["a.txt", Buffer.from("plain text\n")],
  ["empty.txt", Buffer.alloc(0)],
  ["umlauts.txt", Buffer.from("größe 日本語 😀")],
  ["latin1.txt", latin1("Le caf\xe9 est ferm\xe9, mais le mus\xe9e est ouvert.")],
  ["utf16.txt", Buffer.from("\uFEFFhello", "utf16le")],
  ["coloured.log", Buffer.from("\u001b[31mred\u001b[0m and plain\n")],
  ["pointer.png", Buffer.from("version 1\noid sha256:aa\n")],
  // The sample ends within a character.
  ["cut.txt", Buffer.from("日本").subarray(0, 5)],
])("takes %s for text", (path, sample) => {
  expect(fileKind(path, sample)).toEqual({ type: "text" })
})

it.each([
  ["core", Buffer.from("ELF\0\0\0")],
  ["noise.dat", latin1("\x80\x81\xfe\x90abc\xff\xfa\xfb")],
  ["controls", Buffer.from("\u0001\u0002\u0003abc")],
  ["archive.zip", Buffer.from("PK text so far")],
])("takes %s for binary", (path, sample) => {
  expect(fileKind(path, sample)).toEqual({ type: "binary" })
})

it.each([
  ["image/png", latin1("\x89PNG\r\n\x1a\n\0\0")],
  ["image/jpeg", latin1("\xff\xd8\xff\xe0")],
  ["image/gif", latin1("GIF89a\0\0")],
  ["image/webp", latin1("RIFF\x01\x02\x03\x04WEBPVP8 ")],
  ["application/pdf", latin1("%PDF-1.7\n\xb5\xb5")],
])("recognises %s by its content, whatever its name", (mime, sample) => {
  expect(fileKind("file.txt", sample)).toMatchObject({ type: "attachment", mime })
})
