import type { MessageID, PartID, SessionID } from "../../base/ids.ts"
import type { Journal } from "../../store/journal.ts"
import type { ReasoningPart, TextPart } from "../../record/message.ts"

type StreamedPart = TextPart | ReasoningPart

/** A text is saved when it has tripled since the last save: all saves together write at most 1.5 times its length. */
const SAVE_GROWTH = 3
const FIRST_SAVE_LENGTH = 2048
/** Length in characters, longer than most answers. A database with a log writes each save of such a text twice. */
const LONG_TEXT_LENGTH = 16_000
const LONG_SAVE_GROWTH = 16

/** The text of a part while it streams. The cost of appending a delta does not grow with the text. */
export interface TextStream {
  readonly id: PartID
  readonly sessionID: SessionID
  readonly messageID: MessageID
  append(delta: string): void
  /** Returns the part with all of its text so far. */
  part(): StreamedPart
}

export function createTextStream(part: StreamedPart, journal: Pick<Journal, "save">): TextStream {
  const { id, sessionID, messageID } = part
  let text = ""
  let saveAt = FIRST_SAVE_LENGTH
  return {
    id,
    sessionID,
    messageID,
    append(delta) {
      text += delta
      if (text.length < saveAt) return
      saveAt = text.length * (text.length < LONG_TEXT_LENGTH ? SAVE_GROWTH : LONG_SAVE_GROWTH)
      journal.save({ type: "part.put", part: { ...part, text } })
    },
    part: () => ({ ...part, text }),
  }
}
