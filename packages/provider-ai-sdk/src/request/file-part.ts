import type { LanguageModelV4FilePart } from "@ai-sdk/provider"
import { type FileContent, ProviderError } from "@pawl/core/provider"

/** Throws ProviderError "invalid-request" for a URL that is neither `data:` nor HTTP. */
export function toFilePart(file: FileContent): LanguageModelV4FilePart {
  return {
    type: "file",
    mediaType: file.mime,
    data: toFileData(file),
    ...(file.filename !== undefined && { filename: file.filename }),
  }
}

function toFileData(file: FileContent): LanguageModelV4FilePart["data"] {
  if (file.url.startsWith("data:")) return { type: "data", data: base64Of(file) }
  const url = URL.canParse(file.url) ? new URL(file.url) : undefined
  if (url?.protocol === "https:" || url?.protocol === "http:") return { type: "url", url }
  throw unreadable(file, "its URL is neither a data: nor a https: URL")
}

function base64Of(file: FileContent): string {
  const comma = file.url.indexOf(",")
  if (comma === -1) throw unreadable(file, 'its data: URL has no ","')
  const content = file.url.slice(comma + 1)
  if (file.url.slice(0, comma).toLowerCase().endsWith(";base64")) return content
  try {
    return Buffer.from(decodeURIComponent(content)).toString("base64")
  } catch (cause) {
    throw unreadable(file, "its data: URL is not percent-encoded as it should be", { cause })
  }
}

function unreadable(file: FileContent, reason: string, options?: ErrorOptions): ProviderError {
  const name = file.filename === undefined ? `A file of type ${file.mime}` : `The file "${file.filename}"`
  return new ProviderError("invalid-request", `${name} cannot be sent to the model: ${reason}.`, {}, options)
}
