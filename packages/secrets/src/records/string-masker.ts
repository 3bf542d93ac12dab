import type { Count } from "../patterns/masked-patterns.ts"
import { isSecretName } from "../patterns/secret-patterns.ts"
import { removed } from "../removed.ts"

/** Masks a string. `name` is the name of its field. */
export type MaskString = (text: string, name: string) => string

const TEXT_URL = /^data:(?:text\/|application\/(?:json|xml|x-yaml|javascript))[^,]*,/

/** Counts what it masks in addition to `mask`, by kind. `unchecked` counts binary content, which it does not change. */
export function createStringMasker(mask: (text: string) => string, count: Count): MaskString {
  function maskedURL(url: string): string {
    if (!TEXT_URL.test(url)) {
      count("unchecked")
      return url
    }
    const comma = url.indexOf(",")
    const head = url.slice(0, comma)
    const body = url.slice(comma + 1)
    const isBase64 = head.endsWith(";base64")
    const text = isBase64 ? textOf(Buffer.from(body, "base64")) : decoded(body)
    const clean = mask(text ?? body)
    if (clean === (text ?? body)) return url
    return `${head},${isBase64 ? Buffer.from(clean).toString("base64") : encodeURIComponent(clean)}`
  }

  return (text, name) => {
    if (text.length > 0 && isSecretName(name)) {
      count("secret.field")
      return removed("secret.field")
    }
    return text.startsWith("data:") ? maskedURL(text) : mask(text)
  }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Returns undefined for bytes that are not text. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.includes("\0") ? undefined : text
  } catch {
    return undefined
  }
}
