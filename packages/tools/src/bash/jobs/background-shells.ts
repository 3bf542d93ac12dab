import type { SessionID } from "@pawl/core/tool"
import type { Job, JobEnd } from "./job.ts"
import { createJobReader, type JobNews } from "./job-reader.ts"
import type { Jobs } from "./jobs.ts"

/** A background command of a session, for the user. */
export interface BackgroundShell {
  readonly id: string
  readonly command: string
  /** Epoch milliseconds. */
  readonly started: number
  /** Missing while the command runs. */
  readonly end?: JobEnd & { readonly time: number }
  /** Last line of the output that is not empty, shortened; empty without output. */
  readonly lastLine: string
}

/** Lists, reads and stops the background commands of this process. Reading does not count as a look of the model. */
export interface BackgroundShells {
  /** Returns the commands of a session, oldest first. */
  list(sessionID: SessionID): Promise<readonly BackgroundShell[]>
  /** Returns the end of the output so far. Rejects for an id that the session does not have. */
  output(sessionID: SessionID, id: string): Promise<JobNews>
  /** Ends a command with all that it started. Returns false if it has ended already. */
  stop(sessionID: SessionID, id: string): Promise<boolean>
}

/** Bytes at the end of an output in which the last line is looked for. */
const LAST_LINE_BYTES = 4096
const MAX_LINE_LENGTH = 200

export function backgroundShells(jobs: Jobs): BackgroundShells {
  return {
    list: (sessionID) => Promise.all(jobs.list(sessionID).map(shellOf)),
    output: async (sessionID, id) => createJobReader(jobs.find(sessionID, id).log).read(),
    async stop(sessionID, id) {
      const job = jobs.find(sessionID, id)
      const isRunning = job.end === undefined
      await job.stop("kill")
      return isRunning
    },
  }
}

async function shellOf(job: Job): Promise<BackgroundShell> {
  const { id, command, started, end, log } = job
  const { bytes } = await log.read(Math.max(0, log.size - LAST_LINE_BYTES), LAST_LINE_BYTES)
  // Only the first line may begin within a character.
  const lines = bytes.toString("utf8").split("\n")
  const lastLine = lines.findLast((line) => line.trim() !== "")?.replace(/^\uFFFD+/, "") ?? ""
  const shown = lastLine.trim().slice(0, MAX_LINE_LENGTH).toWellFormed()
  return { id, command, started, ...(end && { end }), lastLine: shown }
}
