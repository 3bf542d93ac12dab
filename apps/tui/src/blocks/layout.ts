import type { Theme } from "@pawl/terminal-text/theme"
import type { RenderMarkdown } from "../terminal/markdown.ts"

/** How blocks are rendered. */
export interface BlockLayout {
  readonly columns: number
  readonly theme: Theme
  /** Paths are shown relative to it. */
  readonly directory: string
  readonly markdown: RenderMarkdown
  /** Masks secrets. */
  readonly mask: (text: string) => string
  /** Shows outputs of tools and reasoning in full. */
  readonly isUnfolded: boolean
  /** Adds links to files (OSC 8), and marks around prompts (OSC 133). Default: false */
  readonly hasLinks?: boolean
}

/** Longer lines of prose are hard to read. */
const MAX_PROSE_COLUMNS = 100

export function proseColumns({ columns }: Pick<BlockLayout, "columns">): number {
  return Math.max(10, Math.min(columns, MAX_PROSE_COLUMNS))
}
