import type { CorpusEntry } from "@pawl/shell-corpus"
import type { ShellReading } from "../src/reading.ts"

/** Of the entries, those whose reading is not what it has to be, with what is wrong. */
export function unmet(read: (command: string) => ShellReading, entries: readonly CorpusEntry[], isEveryday = false) {
  return entries.flatMap(({ command, why, commands, unclear }) => {
    const reading = read(command)
    const texts = new Set(reading.commands.map(({ text }) => text))
    const missing = commands.filter((text) => !texts.has(text))
    const isWrong = unclear ? reading.unclear.length === 0 : isEveryday && reading.unclear.length > 0
    return missing.length > 0 || isWrong ? [{ command, why, missing, reading }] : []
  })
}
