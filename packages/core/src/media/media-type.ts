import type { DataReader } from "../measure/data-url.ts"

/** Returns the type of a file by its first bytes, or undefined for an unknown type. */
export function mediaType(data: DataReader): string | undefined {
  const head = data.bytes(0, 16)
  const text = head.toString("latin1")
  if (text.startsWith("\u{89}PNG\r\n\u{1A}\n")) return "image/png"
  if (text.startsWith("\u{FF}\u{D8}\u{FF}")) return "image/jpeg"
  if (text.startsWith("GIF87a") || text.startsWith("GIF89a")) return "image/gif"
  if (text.startsWith("RIFF") && text.slice(8, 12) === "WEBP") return "image/webp"
  if (text.startsWith("RIFF") && text.slice(8, 12) === "WAVE") return "audio/wav"
  if (text.startsWith("II*\0") || text.startsWith("MM\0*")) return "image/tiff"
  if (text.startsWith("BM") && text.slice(6, 10) === "\0\0\0\0") return "image/bmp"
  if (text.slice(4, 8) === "ftyp") return boxType(text.slice(8, 12))
  // PDF readers accept the header anywhere in the first kilobyte.
  if (data.bytes(0, 1_024).toString("latin1").includes("%PDF-")) return "application/pdf"
  return undefined
}

function boxType(brand: string): string | undefined {
  if (brand === "avif" || brand === "avis") return "image/avif"
  if (["heic", "heix", "hevc", "hevx"].includes(brand)) return "image/heic"
  return brand === "mif1" || brand === "msf1" ? "image/heif" : undefined
}
