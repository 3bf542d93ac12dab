import type { Report } from "./reader.ts"

/** The parsed text, or undefined where it is none, which is reported. */
export function parsedJSON(text: string, subject: string, report: Report): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    report(subject, "It is no JSON and was left out.")
    return undefined
  }
}
