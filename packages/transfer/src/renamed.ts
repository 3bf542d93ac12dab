import { mapStrings } from "./json.ts"

/** The record with new ids: each string that is one of the old ids, whole, is a reference to it. Call ids stay. */
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
