import { type BlockText, createBlockText } from "./block-text.ts"
import { createInlineText, type InlineText } from "./inline-text.ts"
import type { TextStyle } from "./style.ts"

/** The output of blocks: a page or a table's cell. */
export interface Sheet {
  readonly blocks: BlockText
  readonly inline: InlineText
  /** Open lists, the innermost last. */
  readonly lists: List[]
  /** Prefix of the open heading. */
  heading: string | undefined
}

export interface List {
  readonly isNested: boolean
  /** Number of the next item; undefined for a bullet list. */
  next: number | undefined
  isEmpty: boolean
}

export function createSheet(style: TextStyle): Sheet {
  return { blocks: createBlockText(), inline: createInlineText(style), lists: [], heading: undefined }
}

export function endBlock({ blocks, inline, heading }: Sheet): void {
  const text = inline.take()
  if (text === "") return
  blocks.add(heading === undefined ? text : `${heading}${text.replace(/ *\n */g, " ")}`)
}
