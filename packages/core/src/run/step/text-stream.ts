import type { MessageID, PartID, SessionID } from "../../base/ids.ts"
import type { Journal } from "../../store/journal.ts"
import type { ReasoningPart, TextPart } from "../../record/message.ts"

type StreamedPart = TextPart | ReasoningPart

/** A text is saved when it is three times as long as when last saved: all savings together are at most 1.5 times its length. */
const GROWTH = 3
const FIRST_SAVING = 2048
/** Characters: longer than most answers. Behind a database's log each saving of such a text counts twice. */
const LONG = 16_000
const GROWTH_OF_LONG = 16

/** The text of one part while it streams. No delta costs more the longer the text already is. */
export interface TextStream {
  readonly id: PartID
  readonly sessionID: SessionID
  readonly messageID: MessageID
  append(delta: string): void
  /** The part with all of its text so far. */
  part(): StreamedPart
}

export function createTextStream(part: StreamedPart, journal: Pick<Journal, "save">): TextStream {
  const { id, sessionID, messageID } = part
  let text = ""
  let saveAt = FIRST_SAVING
  return {
    id,
    sessionID,
    messageID,
    append(delta) {
      text += delta
      if (text.length < saveAt) return
      saveAt = text.length * (text.length < LONG ? GROWTH : GROWTH_OF_LONG)
      journal.save({ type: "part.put", part: { ...part, text } })
    },
    part: () => ({ ...part, text }),
  }
}
