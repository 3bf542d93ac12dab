/**
 * Returns the blocks of a system prompt after a plugin has changed them as one text. Text added before or after becomes
 * part of the first or last block, so that the other blocks remain as providers have cached them. Separate texts that
 * the plugin added become one block.
 */
export function systemBlocks(blocks: readonly string[], whole: string, changed: readonly string[]): string[] {
  const [first = "", ...added] = changed.filter((text): text is string => typeof text === "string")
  const at = changed.indexOf(whole)
  if (at > 0) return [changed.slice(0, at).join("\n"), ...blocks, ...oneBlock(changed.slice(at + 1))]
  return [...headBlocks(blocks, whole, first), ...oneBlock(added)]
}

function headBlocks(blocks: readonly string[], whole: string, first: string): readonly string[] {
  if (first === whole) return blocks
  const last = blocks.at(-1)
  const [start] = blocks
  if (start === undefined || last === undefined || whole === "") return oneBlock([first])
  if (first.startsWith(whole)) return [...blocks.slice(0, -1), last + first.slice(whole.length)]
  if (first.endsWith(whole)) return [first.slice(0, first.length - whole.length) + start, ...blocks.slice(1)]
  return oneBlock([first])
}

function oneBlock(texts: readonly string[]): string[] {
  return texts.length === 0 ? [] : [texts.join("\n")]
}
