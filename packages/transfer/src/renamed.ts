import { mapStrings } from "./json.ts"

/** Replaces ids in a record. A string that equals an old id counts as a reference. Call ids stay. */
export function renamed<T>(record: T, ...ids: readonly ReadonlyMap<string, string>[]): T {
  if (ids.every(({ size }) => size === 0)) return record
  return mapStrings(record, (text, key) => {
    if (key === "callID") return text
    for (const known of ids) {
      const anew = known.get(text)
      if (anew !== undefined) return anew
    }
    return text
  }) as T
}
