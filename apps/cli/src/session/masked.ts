import { maskedRecord, type Secrets } from "@pawl/secrets"
import { plainLine } from "../render/plain.ts"

/** How a command shows what is stored: without secrets, unless the user wants to see them. */
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
