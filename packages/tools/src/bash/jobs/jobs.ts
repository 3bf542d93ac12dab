import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { SessionID } from "@pawl/core/tool"
import { createGuardian, createProcessTable, type Guardian } from "@pawl/process-guard"
import { createLiveGroups } from "../live-groups.ts"
import { type CommandStart, startCommand } from "../start-command.ts"
import { type Job, followJob } from "./job.ts"
import { createJobLog } from "./job-log.ts"

/** Background commands, grouped by session. They end with this process or with `close`. */
export interface Jobs {
  /** Rejects if the session has reached its limit or if the command cannot be started. */
  start(sessionID: SessionID, start: JobStart): Promise<Job>
  /** Returns the jobs of a session that are kept, oldest first. */
  list(sessionID: SessionID): readonly Job[]
  /** Throws an error that lists the session's jobs if the id is unknown. */
  find(sessionID: SessionID, id: string): Job
  /** Ends all jobs with their processes and resolves when they are gone. No job can be started afterwards. */
  close(): Promise<void>
}

export interface JobStart extends Omit<CommandStart, "live" | "processes" | "guardian"> {
  /** Milliseconds until the job is ended. Default: no limit. */
  readonly timeout?: number | undefined
}

export interface JobsOptions {
  /** Absolute directory for logs. Default: a temporary directory that `close` removes. */
  readonly outputDirectory?: string | undefined
  /** Maximum number of running jobs per session, and of ended jobs that are kept. Default: 20. */
  readonly limit?: number
  /** Ends the jobs if this process dies. Default: a new guardian. */
  readonly guardian?: Guardian
}

export function createJobs({ outputDirectory, limit = 20, guardian = createGuardian() }: JobsOptions = {}): Jobs {
  const jobs = new Map<SessionID, Job[]>()
  // Jobs that run or have left processes in the background.
  const stoppable = new Set<Job>()
  const live = createLiveGroups()
  const processes = createProcessTable()
  let temporary: Promise<string> | undefined
  let isClosed = false

  async function start(sessionID: SessionID, { timeout, ...options }: JobStart): Promise<Job> {
    if (isClosed) throw new Error("No command can be started any more: the program is about to end.")
    const own = jobs.get(sessionID) ?? []
    const running = own.filter((job) => job.end === undefined)
    if (running.length >= limit) {
      throw new Error(
        `${running.length} jobs are running, and there can be no more. End one with bash_kill: ${listed(running)}.`,
      )
    }
    const id = newID(own)
    temporary ??= outputDirectory === undefined ? mkdtemp(join(tmpdir(), "pawl-")) : Promise.resolve(outputDirectory)
    const log = await createJobLog(await temporary, id)
    const command = await startCommand({ ...options, live, processes, guardian }).catch(async (error: unknown) => {
      await log.close()
      await rm(log.path, { force: true })
      throw error
    })
    const job = followJob({ id, command: options.command, log, running: command, timeout })
    const ended = (jobs.get(sessionID) ?? []).filter((each) => each.end !== undefined)
    const dropped = new Set(ended.slice(0, Math.max(0, ended.length - limit + 1)))
    jobs.set(sessionID, [...(jobs.get(sessionID) ?? []).filter((each) => !dropped.has(each)), job])
    stoppable.add(job)
    void job.finished.then((isLeft) => isLeft || stoppable.delete(job))
    if (isClosed) await job.stop("abort")
    return job
  }

  return {
    start,
    list: (sessionID) => jobs.get(sessionID) ?? [],
    find(sessionID, id) {
      const own = jobs.get(sessionID) ?? []
      const job = own.find((each) => each.id === id)
      if (job) return job
      const known = own.length > 0 ? `There are: ${listed(own)}.` : "The session has no jobs now."
      throw new Error(`There is no job ${id} in this session. Jobs end with the program that started them. ${known}`)
    },
    async close() {
      isClosed = true
      await Promise.all([...stoppable].map((job) => job.stop("abort")))
      jobs.clear()
      stoppable.clear()
      if (outputDirectory === undefined && temporary !== undefined) {
        await rm(await temporary, { recursive: true, force: true })
      }
    },
  }
}

function newID(taken: readonly Job[]): string {
  const id = `job_${crypto.randomUUID().slice(0, 6)}`
  return taken.some((job) => job.id === id) ? newID(taken) : id
}

function listed(jobs: readonly Job[]): string {
  return jobs.map((job) => `${job.id} (${job.command.replaceAll(/\s+/g, " ").slice(0, 60)})`).join(", ")
}
