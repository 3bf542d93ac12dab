import { extname } from "node:path"
import { readJudgedFile } from "./regular-file.ts"

/** Types of files that models take besides texts, by extension. */
export const MIMES: Readonly<Record<string, string>> = {
  ".gif": "image/gif",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".webp": "image/webp",
}

/** Reads a checked real path: text as it is, other files in base64. */
export async function fileContent(path: string) {
  const bytes = await readJudgedFile(path, "Query")
  const mimeType = MIMES[extname(path).toLowerCase()] ?? "application/octet-stream"
  if (bytes.includes(0) || !isUTF8(bytes)) {
    return { type: "binary", content: bytes.toString("base64"), encoding: "base64", mimeType }
  }
  return { type: "text", content: bytes.toString() }
}

function isUTF8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
