import type { Report } from "./reader.ts"

/** Parses JSON. Reports invalid text and returns undefined. */
export function parsedJSON(text: string, subject: string, report: Report): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    report(subject, "It is not valid JSON and was left out.")
    return undefined
  }
}
