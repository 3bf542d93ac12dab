import type { Instruction } from "./instruction-file.ts"
import type { ReadRemote } from "./remote.ts"
import { within } from "../base/deadlines.ts"
import type { EventBus } from "../contracts/events.ts"
import { loadInstructions } from "./instructions.ts"
import type { Session } from "../record/message.ts"
import { findWorktree } from "./worktree.ts"

export interface PlaceDeps {
  readonly instructionFiles: readonly string[]
  readonly readRemote: ReadRemote
  readonly bus: EventBus
}

/** What the files around a session say. */
export interface Place {
  readonly directory: string
  /** The directory itself outside of git. */
  readonly worktree: string
  readonly isGit: boolean
  readonly instructions: readonly Instruction[]
}

export interface PlaceReader {
  /** As it was when it was first asked for, read anew where the settings name other files. */
  read(): Promise<Place>
  /** Resolves once it is read, or takes longer than files do: what comes over a network is waited for when it is needed. */
  readonly begun: Promise<void>
}

/** In milliseconds. */
const FILES_TAKE = 50

export function readPlace(deps: PlaceDeps, { id, directory }: Pick<Session, "id" | "directory">): PlaceReader {
  const worktree = findWorktree(directory)

  function read(files: readonly string[]) {
    const reading = readFiles(files)
    // Begins before anybody waits for it.
    reading.catch(() => undefined)
    return { files, reading }
  }

  async function readFiles(files: readonly string[]): Promise<Place> {
    const root = await worktree
    const places = { directory, worktree: root ?? directory }
    const { instructions, notices } = await loadInstructions({ ...places, files, readRemote: deps.readRemote })
    for (const message of notices) deps.bus.publish("session.notice", { sessionID: id, message })
    return { ...places, isGit: root !== undefined, instructions }
  }

  let last = read(deps.instructionFiles)
  return {
    read() {
      if (last.files !== deps.instructionFiles) last = read(deps.instructionFiles)
      return last.reading
    },
    begun: begunBy(last.reading),
  }
}

/** Whatever came of it: who asks for the place is told. */
async function begunBy(reading: Promise<unknown>): Promise<void> {
  await within(FILES_TAKE, reading, () => new Error("late")).catch(() => undefined)
}
