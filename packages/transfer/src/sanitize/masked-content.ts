import { isPlainName, removed } from "@pawl/secrets"
import { isObject } from "../json.ts"

/** Fields with structure instead of content: ids, kinds, names of models and tools. */
const STRUCTURE = new Set(
  [
    "id sessionID messageID partID parentID projectID callID boundary".split(" "),
    "type role status state mime tool providerID modelID agent mode finish reason action permission version variant".split(
      " ",
    ),
  ].flat(),
)

/** Objects in which every string is content. */
const FREE = new Set(["input", "metadata", "data", "structured", "tools", "format", "responseHeaders"])

const PATHS = new Set(["directory", "cwd", "root"])

/** Replaces every string that is not structure. A file with its source becomes a note. */
export function maskedContent(value: unknown, count: (kind: string) => void): unknown {
  const mask = (inner: unknown, key: string, isFree: boolean): unknown => {
    if (typeof inner === "string") return maskedField(inner, key, isFree)
    if (Array.isArray(inner)) return inner.map((item) => mask(item, key, isFree))
    if (!isObject(inner)) return inner
    return Object.fromEntries(
      Object.entries(inner).map(([name, field], at) => {
        const shown = isFree && !isPlainName(name) ? `${removed("content")} ${at + 1}` : name
        return [shown, mask(field, name, isFree || FREE.has(name))]
      }),
    )
  }
  const maskedField = (text: string, key: string, isFree: boolean): string => {
    if (text === "" || (!isFree && isStructure(key, value))) return text
    count("content")
    return !isFree && PATHS.has(key) ? "/removed" : removed("content")
  }
  return mask(value, "", false)
}

/** `name` is structure in an agent part and in an error. */
function isStructure(key: string, value: unknown): boolean {
  if (STRUCTURE.has(key)) return true
  return key === "name" && isObject(value) && (value["type"] === "agent" || value["role"] === "assistant")
}
