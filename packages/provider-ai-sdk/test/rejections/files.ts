import type { FileContent } from "@pawl/core/provider"

/** A file that begins like one of its kind and is otherwise empty. */
export function image(
  filename: string,
  mime: string,
  size: { width: number; height: number; bytes?: number },
): FileContent {
  const content = Buffer.alloc(Math.max(64, size.bytes ?? 64))
  headers[mime]?.(content, size.width, size.height)
  return file(filename, mime, content)
}

export function pdf(filename: string, bytes = 64): FileContent {
  const content = Buffer.alloc(bytes, " ")
  content.write("%PDF-1.7\n")
  return file(filename, "application/pdf", content)
}

export function file(filename: string, mime: string, content: Buffer): FileContent {
  return { type: "file", mime, filename, url: `data:${mime};base64,${content.toString("base64")}` }
}

type WriteHeader = (content: Buffer, width: number, height: number) => void

const headers: Readonly<Record<string, WriteHeader>> = {
  "image/png": (content, width, height) => {
    content.write("\u{89}PNG\r\n\u{1A}\n\0\0\0\rIHDR", "latin1")
    content.writeUInt32BE(width, 16)
    content.writeUInt32BE(height, 20)
  },
  "image/jpeg": (content, width, height) => {
    content.set([0xff, 0xd8, 0xff, 0xc0, 0, 17, 8])
    content.writeUInt16BE(height, 7)
    content.writeUInt16BE(width, 9)
  },
  "image/gif": (content, width, height) => {
    content.write("GIF89a")
    content.writeUInt16LE(width, 6)
    content.writeUInt16LE(height, 8)
  },
  "image/webp": (content, width, height) => {
    content.write("RIFF\0\0\0\0WEBPVP8X")
    content.writeUIntLE(width - 1, 24, 3)
    content.writeUIntLE(height - 1, 27, 3)
  },
}
