import { type BlockText, createBlockText } from "./block-text.ts"
import { createInlineText, type InlineText } from "./inline-text.ts"
import type { TextStyle } from "./style.ts"

/** What blocks are written on: the page, or a cell of a table. */
export interface Sheet {
  readonly blocks: BlockText
  readonly inline: InlineText
  /** The lists that are open, the innermost last. */
  readonly lists: List[]
  /** What a heading that is open begins with. */
  heading: string | undefined
}

export interface List {
  readonly isNested: boolean
  /** The number of the next item; undefined for a list with bullets. */
  next: number | undefined
  isEmpty: boolean
}

export function createSheet(style: TextStyle): Sheet {
  return { blocks: createBlockText(), inline: createInlineText(style), lists: [], heading: undefined }
}

/** Ends the block that is being written. */
export function endBlock({ blocks, inline, heading }: Sheet): void {
  const text = inline.take()
  if (text === "") return
  blocks.add(heading === undefined ? text : `${heading}${text.replace(/ *\n */g, " ")}`)
}
