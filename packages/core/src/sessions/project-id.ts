import type { EventBus } from "../contracts/events.ts"
import type { Storage, Write } from "../contracts/storage.ts"
import type { WorkspaceReader } from "../contracts/workspace.ts"
import { writeSession } from "../store/write.ts"
import type { Session } from "../record/message.ts"
import { NO_PROJECT } from "./sessions.ts"

export interface ProjectIDDeps {
  readonly storage: Pick<Storage, "commit" | "getSession">
  readonly bus: EventBus
  readonly now: () => number
  readonly environment: Readonly<Record<string, string>>
  readonly workspace: Pick<WorkspaceReader, "findProjectID">
}

/** Finds the projects of sessions in the background. */
export interface ProjectIDs {
  /** Returns the project that was found for the directory. */
  known(directory: string): string | undefined
  /** Finds the project of a session without a project, and stores it. Does nothing if it cannot be found. */
  find(session: Session): void
  /** Aborts running searches. Resolves when they have ended. */
  close(): Promise<void>
}

export function createProjectIDs(deps: ProjectIDDeps): ProjectIDs {
  const found = new Map<string, string>()
  const running = new Set<Promise<void>>()
  const closing = new AbortController()

  async function look(directory: string): Promise<string | undefined> {
    const known = found.get(directory)
    if (known !== undefined) return known
    const projectID = await deps.workspace.findProjectID({
      directory,
      environment: deps.environment,
      signal: closing.signal,
    })
    if (projectID !== undefined) found.set(directory, projectID)
    return projectID
  }

  async function store({ id, directory }: Session): Promise<void> {
    const projectID = await look(directory)
    if (projectID === undefined || closing.signal.aborted) return
    const writes: Write[] = [{ type: "session.patch", changes: { projectID } }]
    await writeSession(deps, id, writes)
  }

  return {
    known: (directory) => found.get(directory),
    find(session) {
      if (session.projectID !== NO_PROJECT || closing.signal.aborted) return
      // If it cannot be stored now, the next run finds it again.
      const work = store(session).catch(() => undefined)
      running.add(work)
      void work.finally(() => running.delete(work))
    },
    async close() {
      closing.abort()
      await Promise.all(running)
    },
  }
}
