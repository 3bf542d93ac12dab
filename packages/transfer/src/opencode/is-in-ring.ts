import { isText, record } from "./foreign.ts"
import type { OpenCodeReader } from "./reader.ts"

/** Returns true if the session is its own ancestor. */
export async function isInRing(from: string, owners: ReadonlyMap<string, OpenCodeReader>): Promise<boolean> {
  const seen = new Set<string>()
  for (let at: unknown = from; isText(at) && !seen.has(at);) {
    seen.add(at)
    at = record(await owners.get(at)?.session(at))["parentID"]
    if (at === from) return true
  }
  return false
}
