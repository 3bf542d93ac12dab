import type { ToolContext, ToolResult } from "@pawl/core/tool"
import { waitFor } from "./jobs/bash-output.ts"
import { jobMetadata, jobText } from "./jobs/job-text.ts"
import type { Jobs, JobStart } from "./jobs/jobs.ts"

export interface BackgroundOptions extends Omit<JobStart, "signal"> {
  readonly jobs: Jobs
  readonly isReadable: boolean
  /** Milliseconds to wait for the first output. Default: 1000. */
  readonly startWait?: number
}

// Time in which a program shows that it started or why it failed. Output arrives in pieces.
const START_MS = 1000
const PIECES_MS = 150

/** Starts a job and returns its first output, after at most `startWait`. An abort in this time ends the job. */
export async function runInBackground(options: BackgroundOptions, context: ToolContext): Promise<ToolResult> {
  const { jobs, isReadable, startWait = START_MS, ...start } = options
  const { sessionID, signal, canDelegate } = context
  const job = await jobs.start(sessionID, { ...start, signal })
  context.files.continues?.(job.finished)
  try {
    await waitFor(job.changed(), startWait, signal)
    await waitFor(job.finished, PIECES_MS, signal)
  } catch (error) {
    await job.stop("abort")
    throw error
  }
  const news = await job.reader.read()
  return {
    title: start.command,
    output: jobText(job, news, { isReadable, nothing: "(no output yet)", canDelegate }),
    metadata: jobMetadata(job, news),
  }
}
