import type { Block } from "../state/view.ts"
import type { BlockLayout } from "./layout.ts"
import { transcript, transcriptStart } from "./transcript.ts"

/** Finished blocks that can be rendered again, such as for another width. */
export interface KeptBlocks {
  add(blocks: readonly Block[]): void
  /** Returns all blocks if the width has changed since the last call, otherwise undefined. */
  before(columns: number): readonly Block[] | undefined
  /** Renders the blocks from the last prompt on. */
  lastTurn(layout: BlockLayout): readonly string[]
}

/** Keeps the newest blocks. Default limit: 2,000. */
export function createKeptBlocks(limit = 2000): KeptBlocks {
  let kept: Block[] = []
  let width: number | undefined
  return {
    add(blocks) {
      if (blocks.length > 0) kept = [...kept, ...blocks].slice(-limit)
    },
    before(columns) {
      if (columns === width) return undefined
      width = columns
      return kept
    },
    lastTurn(layout) {
      const from = kept.findLastIndex(({ type }) => type === "prompt")
      return from < 0 ? [] : transcript(kept.slice(from), transcriptStart, layout).commits
    },
  }
}
