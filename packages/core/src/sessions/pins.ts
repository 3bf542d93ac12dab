import { NotFoundError } from "../base/errors.ts"
import type { JournalDeps } from "../store/journal.ts"
import type { IDSource, SessionID } from "../base/ids.ts"
import { type EditDeps, editSession } from "../store/edit.ts"
import { writeSession } from "../store/write.ts"
import type { Session } from "../record/message.ts"

export type Pin = NonNullable<Session["pins"]>[number]

export interface PinsDeps extends JournalDeps, EditDeps {
  readonly storage: JournalDeps["storage"] & EditDeps["storage"]
  readonly ids: IDSource
  readonly getSession: (id: SessionID) => Promise<Session>
}

/** Notes that stay in the context through compactions. */
export interface Pins {
  /** Adds a note. Rejects with RangeError if the note is empty or too long, or if all notes together are too long. */
  add(sessionID: SessionID, text: string): Promise<Session>
  /** Removes a note. Rejects with NotFoundError for an unknown note. */
  remove(sessionID: SessionID, pinID: string): Promise<Session>
}

/** Maximum characters of a note, and of all notes. Each request after a compaction contains them. */
const MAX_NOTE_LENGTH = 4_000
const MAX_TOTAL_LENGTH = 16_000

export function createPins(deps: PinsDeps): Pins {
  const { ids, now, getSession } = deps

  /** Changes the list of notes. The list is written whole, so changes are serialized. A run never changes the list. */
  async function change(id: SessionID, next: (pins: readonly Pin[]) => readonly Pin[]): Promise<Session> {
    await getSession(id)
    await editSession(deps, id, ids.other("pin"), async (lease) => {
      const { pins = [] } = await getSession(id)
      const changes = { pins: [...next(pins)], time: { updated: now() } }
      await writeSession(deps, id, [{ type: "session.patch", changes }], lease)
    })
    return getSession(id)
  }

  return {
    add: (id, text) => change(id, (pins) => withPin(pins, { id: ids.other("pin"), text, time: { created: now() } })),
    remove: (id, pinID) => change(id, (pins) => withoutPin(pins, pinID, id)),
  }
}

function withPin(pins: readonly Pin[], pin: Pin): readonly Pin[] {
  const text = pin.text.trim()
  if (text === "") throw new RangeError("The note is empty: say what is to be kept.")
  if (text.length > MAX_NOTE_LENGTH) {
    throw new RangeError(
      `The note has ${text.length} characters, and at most ${MAX_NOTE_LENGTH} are kept: every request pays for them. Put it into a file, and pin where that is.`,
    )
  }
  const together = pins.reduce((sum, each) => sum + each.text.length, text.length)
  if (together > MAX_TOTAL_LENGTH) {
    throw new RangeError(
      `With this note ${together} characters would be pinned, and at most ${MAX_TOTAL_LENGTH} are kept. Remove a note that is no longer needed.`,
    )
  }
  return [...pins, { ...pin, text }]
}

function withoutPin(pins: readonly Pin[], pinID: string, sessionID: SessionID): readonly Pin[] {
  if (pins.some(({ id }) => id === pinID)) return pins.filter(({ id }) => id !== pinID)
  const known = pins.length > 0 ? `It has ${pins.map(({ id }) => id).join(", ")}.` : "It has none."
  throw new NotFoundError(`Session ${sessionID} has no pinned note ${pinID}. ${known}`)
}
