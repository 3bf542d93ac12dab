import { outputHint, type HintReader } from "../../output/output-file.ts"
import type { Job, JobEnd } from "./job.ts"
import type { JobNews } from "./job-reader.ts"

export interface JobTextOptions extends HintReader {
  /** Set if the model's tools can read the log. */
  readonly isReadable: boolean
  /** Text for empty output. */
  readonly nothing: string
}

/** Formats a job's new output and state for the model. */
export function jobText(job: Job, news: JobNews, { isReadable, nothing, canDelegate }: JobTextOptions): string {
  const hint = isReadable ? `\n${outputHint(job.log.path, { canDelegate })}` : ""
  const head = news.omitted > 0 ? `...${news.omitted} bytes left out...${hint}\n\n` : ""
  const body = news.text.trim() === "" ? nothing : news.text.trimEnd()
  const lost = job.log.failure === undefined ? "" : `\nLater output could not be kept: ${job.log.failure}`
  return `${head}${body}\n\n<shell_metadata>\n${stateText(job)}${lost}\n</shell_metadata>`
}

function stateText({ id, end }: Job): string {
  if (end === undefined) return `Job ${id} is running. Look again with bash_output, end it with bash_kill.`
  return `Job ${id} has ended: ${endText(end)}`
}

function endText({ exit, signal, stopped }: JobEnd): string {
  if (stopped === "kill") return "it was killed."
  if (stopped === "timeout") return "its time was over."
  if (stopped === "abort") return "it was aborted."
  return signal ? `by ${signal}.` : `exit code ${exit}.`
}

/** Formats a job's state as metadata for programs. */
export function jobMetadata(job: Job, news: JobNews) {
  const { end } = job
  return {
    jobID: job.id,
    status: end === undefined ? "running" : "ended",
    output: news.text.slice(-30_000),
    truncated: news.omitted > 0,
    ...(end !== undefined && { exit: end.exit }),
  }
}
