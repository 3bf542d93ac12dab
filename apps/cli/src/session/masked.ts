import { maskedRecord, type Secrets } from "@pawl/secrets"
import { plainLine } from "@pawl/plain-text"

/** Converts stored texts for output: masks secrets unless the user passed --raw. */
export interface Shown {
  <Value>(record: Value): Value
}

export function shownBy({ secrets }: { readonly secrets: Pick<Secrets, "mask"> }, isRaw: boolean | undefined): Shown {
  if (isRaw) return (record) => record
  const mask = (text: string) => secrets.mask(text)
  return (record) => maskedRecord(record, mask)
}

/** A session's title for a line of text. */
export function shownTitle({ secrets }: { readonly secrets: Pick<Secrets, "mask"> }, title: string): string {
  return plainLine(secrets.mask(title))
}
