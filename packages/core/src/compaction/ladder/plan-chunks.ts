export interface ChunkPlan {
  /** A text for each model call, oldest first. Each call gets the summary of the previous one. */
  readonly chunks: readonly string[]
  /** Number of oldest blocks that are in no chunk, because there are too few calls. */
  readonly left: number
}

export interface ChunkLimits {
  /** Maximum tokens of a chunk. */
  readonly size: number
  /** Maximum number of chunks. */
  readonly calls: number
  readonly tokensOf: (text: string) => number
}

/** Packs blocks into chunks, the newest first, so the oldest blocks are left over if there are too many. */
export function planChunks(blocks: readonly string[], { size, calls, tokensOf }: ChunkLimits): ChunkPlan {
  const chunks: string[][] = []
  let chunk: string[] = []
  let taken = 0
  let at = blocks.length - 1
  for (; at >= 0; at--) {
    const block = fitted(blocks[at] as string, size, tokensOf)
    const tokens = tokensOf(block) + 1
    if (chunk.length > 0 && taken + tokens > size) {
      if (chunks.length + 1 >= calls) break
      chunks.push(chunk)
      chunk = []
      taken = 0
    }
    chunk.push(block)
    taken += tokens
  }
  if (chunk.length > 0 && calls > 0) chunks.push(chunk)
  else at = blocks.length - 1
  return { chunks: chunks.toReversed().map((texts) => texts.toReversed().join("\n\n")), left: at + 1 }
}

/** Cuts the middle of a block that is too long for a chunk. */
function fitted(block: string, size: number, tokensOf: (text: string) => number): string {
  const tokens = tokensOf(block)
  if (tokens <= size) return block
  const half = Math.floor((block.length * (size / tokens) * 0.8) / 2)
  return `${block.slice(0, half).toWellFormed()}\n[…]\n${block.slice(block.length - half).toWellFormed()}`
}
