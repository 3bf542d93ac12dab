import { isObject, show } from "../../json-object.ts"
import { isFilled, type Problem } from "../problem.ts"

const imageTypes = ["image/jpeg", "image/png", "image/gif", "image/webp"]

/** Returns the first problem in the source of an image or a document. */
export function validateSource(source: unknown, kind: "image" | "document", place: string): Problem {
  if (!isObject(source)) return `${place}.source: must be an object, {type, …}, got ${show(source)}.`
  const { type, media_type: mediaType, data } = source
  switch (type) {
    case "base64": {
      const types = kind === "image" ? imageTypes : ["application/pdf"]
      if (!types.some((known) => known === mediaType)) {
        return `${place}.source.media_type: ${show(mediaType)} is not one of ${types.join(", ")}.`
      }
      return isBase64(data) ? undefined : `${place}.source.data: must be base64 that is not empty.`
    }
    case "url":
      return isFilled(source.url) && /^https?:\/\//.test(source.url)
        ? undefined
        : `${place}.source.url: ${show(source.url)} begins with none of http:// and https://.`
    case "file":
      return isFilled(source.file_id) ? undefined : `${place}.source.file_id: must be a string that is not empty.`
    case "text":
      if (kind !== "document") break
      return isFilled(data) && mediaType === "text/plain"
        ? undefined
        : `${place}.source: must be {type: "text", media_type: "text/plain", data}.`
    case "content":
      if (kind === "document") return undefined
  }
  return `${place}.source.type: ${show(type)} is not a source of ${kind === "image" ? "an image" : "a document"}.`
}

function isBase64(data: unknown): boolean {
  return isFilled(data) && data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data)
}
