import type { Instruction, WorkspaceReader } from "../contracts/workspace.ts"
import { within } from "../base/deadlines.ts"
import type { EventBus } from "../contracts/events.ts"
import type { Session } from "../record/message.ts"

export interface WorkspaceDeps {
  readonly settings: () => { readonly instructionFiles: readonly string[] }
  readonly workspace: Pick<WorkspaceReader, "findWorktree" | "loadInstructions">
  readonly bus: EventBus
}

/** The directories and instructions around a session. */
export interface Surroundings {
  readonly directory: string
  /** The root of the repository, or the directory itself outside of one. */
  readonly worktree: string
  readonly isGit: boolean
  readonly instructions: readonly Instruction[]
}

export interface SessionWorkspace {
  /** Returns the surroundings as of the first call. Reads again if the settings name other files. */
  read(): Promise<Surroundings>
  /** Returns the directories alone, without waiting for instructions. */
  places(): Promise<Pick<Surroundings, "directory" | "worktree">>
  /**
   * Resolves once the surroundings are read, or after the usual time for files: slow fetches are awaited only where they are
   * needed.
   */
  readonly begun: Promise<void>
}

const FILES_TIMEOUT_MS = 50

export function readWorkspace(
  deps: WorkspaceDeps,
  { id, directory }: Pick<Session, "id" | "directory">,
): SessionWorkspace {
  const worktree = deps.workspace.findWorktree(directory)

  function read(files: readonly string[]) {
    const reading = readFiles(files)
    // Reading begins before a caller awaits it.
    reading.catch(() => undefined)
    return { files, reading }
  }

  async function readFiles(files: readonly string[]): Promise<Surroundings> {
    const root = await worktree
    const directories = { directory, worktree: root ?? directory }
    const { instructions, notices } = await deps.workspace.loadInstructions({ ...directories, files })
    for (const message of notices) deps.bus.publish("session.notice", { sessionID: id, message })
    return { ...directories, isGit: root !== undefined, instructions }
  }

  let last = read(deps.settings().instructionFiles)
  return {
    places: async () => ({ directory, worktree: (await worktree) ?? directory }),
    read() {
      const { instructionFiles } = deps.settings()
      if (last.files !== instructionFiles) last = read(instructionFiles)
      return last.reading
    },
    begun: begunBy(last.reading),
  }
}

/** Ignores failures: callers of `read` get the error. */
async function begunBy(reading: Promise<unknown>): Promise<void> {
  await within(FILES_TIMEOUT_MS, reading, () => new Error("late")).catch(() => undefined)
}
