import { setTimeout as delay } from "node:timers/promises"
import { defineTool, type Tool } from "@pawl/core/tool"
import { countField, optional, textField, toolInput } from "../../tool-input.ts"
import type { Job } from "./job.ts"
import type { JobNews } from "./job-reader.ts"
import { jobMetadata, jobText } from "./job-text.ts"
import type { Jobs } from "./jobs.ts"
import { createLineFilter, type LineFilter } from "./line-filter.ts"

const MAX_WAIT = 300_000
// One write of a program arrives in several pieces.
const SETTLE_MS = 50

const input = toolInput("bash_output", {
  jobID: textField("The job's id, as bash with background gave it"),
  filter: optional(textField("A regular expression: show new lines that match; the others count as seen")),
  wait_ms: optional(
    countField(`Milliseconds to wait for something to show, or the end (default 0, at most ${MAX_WAIT})`),
  ),
})
type Input = ReturnType<typeof input.parse>

export interface JobToolOptions {
  readonly jobs: Jobs
  /** Set if the model's tools can read the logs of jobs. */
  readonly isReadable: boolean
}

export function bashOutputTool({ jobs, isReadable }: JobToolOptions): Tool<Input> {
  return defineTool<Input>({
    name: "bash_output",
    description:
      "Shows what a background job has written since the last look (2000 lines or 50 KB at most, the end), and whether " +
      "it runs or has ended, with its exit code. Use wait_ms rather than calling again and again.",
    ...input,
    effect: "unsafe",
    changes: "none",
    keep: "tail",
    permissions: () => [{ permission: "bash_output", patterns: ["*"] }],
    pollable: true,
    async execute(call, context) {
      const job = jobs.find(context.sessionID, call.jobID)
      const filter = call.filter === undefined ? undefined : createLineFilter(call.filter)
      const news = await newsWithin(job, filter, Math.min(call.wait_ms ?? 0, MAX_WAIT), context.signal)
      const nothing = filter ? "(no new output that matches)" : "(no new output)"
      const { canDelegate } = context
      return {
        title: job.command,
        output: jobText(job, news, { isReadable, nothing, canDelegate }),
        metadata: jobMetadata(job, news),
      }
    },
  })
}

/** Returns new output, or waits up to `milliseconds` for it. */
async function newsWithin(
  job: Job,
  filter: LineFilter | undefined,
  milliseconds: number,
  signal: AbortSignal,
): Promise<JobNews> {
  const end = performance.now() + milliseconds
  for (;;) {
    signal.throwIfAborted()
    const hasEnded = job.end !== undefined
    const changed = job.changed()
    const news = await job.reader.read(filter)
    const left = end - performance.now()
    if (news.text !== "" || news.omitted > 0 || hasEnded || left <= 0) return news
    await waitFor(changed, left, signal)
    await waitFor(job.finished, Math.min(SETTLE_MS, Math.max(0, end - performance.now())), signal)
  }
}

/** Resolves after `event` or a timeout. Rejects if the signal aborts. */
export async function waitFor(event: Promise<unknown>, milliseconds: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController()
  try {
    await Promise.race([event, delay(milliseconds, undefined, { signal: AbortSignal.any([signal, over.signal]) })])
  } finally {
    over.abort()
  }
}
