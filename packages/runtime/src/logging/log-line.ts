import { hidePasswords } from "@pawl/config/hide-passwords"
import { maskedStrings, type Secrets } from "@pawl/secrets"
import type { LogRecord } from "./log.ts"

export interface LogLineOptions {
  readonly pid: number
  readonly secrets: Pick<Secrets, "mask">
}

/** Maximum length of a text. */
const MAX_TEXT_LENGTH = 2000

/** Returns a JSON object without a line end: time, level, event, pid, and the facts with secrets masked. */
export function logLine({ time, level, event, facts }: LogRecord, { pid, secrets }: LogLineOptions): string {
  const head = { time: new Date(time).toISOString(), level, event, pid }
  const shown = (text: string) => hidePasswords(secrets.mask(text)).slice(0, MAX_TEXT_LENGTH)
  return JSON.stringify({ ...head, ...maskedStrings(facts, shown) })
}
