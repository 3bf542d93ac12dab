import { jsonPath } from "../document-error.ts"
import { type DocumentLimits, documentLimits, textLimit } from "../limits/document-limits.ts"
import type { OpenCodeReader, Report } from "./reader.ts"

/** Maximum size of a session, a message's own data, or a part. Larger records are not loaded into memory. */
export const MAX_RECORD_BYTES = 64 * 2 ** 20

/** Reports a record that is left out because of its size. */
export function reportSize(report: Report, subject: string, bytes: number): void {
  report(
    subject,
    `It has ${bytes.toLocaleString("en-US")} bytes, and at most ${MAX_RECORD_BYTES.toLocaleString("en-US")} are read. ` +
      "It was left out: shorten it in OpenCode.",
  )
}

/** Returns a reader that leaves out and reports what is too long. */
export function withinLimits(reader: OpenCodeReader, report: Report): OpenCodeReader {
  const fits = (value: unknown, subject: string) => {
    const found = firstTooLong(value, [], documentLimits)
    if (found) report(subject, `${found} It was left out: shorten it in OpenCode.`)
    return !found
  }
  return {
    ...reader,
    async session(id) {
      const session = await reader.session(id)
      return fits(session, id) ? session : undefined
    },
    async message(sessionID, id) {
      const message = await reader.message(sessionID, id)
      if (!message || !fits(message.info, id)) return undefined
      return { ...message, parts: message.parts.filter((part) => fits(part, idOf(part) ?? id)) }
    },
  }
}

/** Describes the first string that is longer than its limit. */
function firstTooLong(value: unknown, path: readonly PropertyKey[], limits: DocumentLimits): string | undefined {
  if (typeof value === "string") {
    const limit = textLimit(path, limits)
    if (value.length <= limit) return undefined
    const [length, most] = [value.length, limit].map((count) => count.toLocaleString("en-US"))
    return `${jsonPath(path)} has ${length} characters, and at most ${most} are read.`
  }
  if (typeof value !== "object" || value === null || path.length > limits.levels) return undefined
  for (const [name, inner] of Object.entries(value)) {
    const found = firstTooLong(inner, [...path, Array.isArray(value) ? Number(name) : name], limits)
    if (found !== undefined) return found
  }
  return undefined
}

function idOf(part: unknown): string | undefined {
  return typeof part === "object" && part !== null && "id" in part ? String(part.id) : undefined
}
