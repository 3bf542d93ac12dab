import type { ShellReading } from "../src/reading.ts"

/** Of the calls that were made, those that a reading neither names nor calls unclear. */
export function missedCalls(reading: ShellReading, calls: readonly (readonly string[])[]): string[][] {
  if (reading.unclear.length > 0) return []
  return calls.filter((call) => !reading.commands.some(({ words }) => covers(words, call))).map((call) => [...call])
}

/** Whether the words are those of a call, up to the first one that was not literal. */
function covers(words: readonly string[], call: readonly string[]): boolean {
  const open = words.findIndex((word, index) => index > 0 && /[$`*?{~…<]/.test(word))
  const known = open < 0 ? words : words.slice(0, open)
  return (open >= 0 || words.length === call.length) && known.every((word, index) => word === call[index])
}
