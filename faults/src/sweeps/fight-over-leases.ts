import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { messageOf } from "../leases/steps.ts"
import { judgeExecutions, judgeLeases } from "../leases/judge-leases.ts"
import type { Acknowledged, WorkerOptions } from "../leases/options.ts"
import { startWork, startChild } from "../processes/child.ts"
import type { RunningProcess } from "../processes/processes.ts"
import { openStore } from "../subjects/open-store.ts"
import type { Sabotage } from "../subjects/sabotaged.ts"
import type { Subject } from "../subjects/subject.ts"
import { messageID, putAssistantMessage, putSession, sessionID } from "../workload/records.ts"
import { inNewDirectory } from "./in-place.ts"
import type { Lab, Sweep, SweepResult } from "./sweep.ts"

const LEASE_MS = 300
const WORKERS = 4
const SESSIONS = [sessionID(1), sessionID(2)]

/** Workers take over each other's sessions while they are killed at random and stopped for longer than a lease. */
export function fightOverLeases(subject: Subject): Sweep {
  return {
    name: "workers killed and stopped",
    subject,
    run: (lab) => sweep(lab, subject, lab.scale.chaosMilliseconds),
    controls: [
      {
        guard: "each write proves its lease",
        complaint: /was written in epoch|was executed by/,
        run: (lab) => sweepUntilFound(lab, subject),
      },
    ],
  }
}

/** A worker is stopped between its read and its write only by chance, so repeat short rounds until that happens. */
async function sweepUntilFound(lab: Lab, subject: Subject): Promise<SweepResult> {
  let points = 0
  for (let round = 0; round < 8; round++) {
    const result = await sweep(lab, subject, 3000, "unfenced")
    points += result.points
    if (result.bad.length > 0) return { ...result, points }
  }
  return { points, bad: [] }
}

function sweep(lab: Lab, subject: Subject, duration: number, sabotage?: Sabotage): Promise<SweepResult> {
  return inNewDirectory(lab.fastDirectory, async (directory) => {
    const url = subject.url(directory)
    const files = { executions: join(directory, "executions"), acknowledged: join(directory, "acknowledged") }
    const storage = await openStore(url)
    for (const id of SESSIONS) {
      const message = putAssistantMessage(id, messageOf(id), messageID(0))
      await storage.commit(id, [putSession(id, "/srv/project"), message])
    }
    let started = 0
    const startWorker = async () => {
      const options: WorkerOptions = { url, worker: `w${++started}`, sessions: SESSIONS, ttl: LEASE_MS, ...files }
      const child = await startChild(lab, "worker", sabotage ? { ...options, sabotage } : options)
      startWork(child)
      return child
    }
    const { workers, bad, hits } = await disturb(startWorker, duration, lab.onPoint)
    workers.forEach((worker) => worker.kill("SIGKILL"))
    await Promise.all(workers.map(({ ended }) => ended))

    const acknowledged = (await readLines(files.acknowledged)).map((line) => JSON.parse(line) as Acknowledged)
    for (const id of SESSIONS) {
      const { revision } = await storage.readContext(id)
      const acknowledgedHere = acknowledged.filter((line) => line.sessionID === id)
      bad.push(
        ...judgeLeases(await storage.readChanges(id, 0), revision, acknowledgedHere).map(
          (problem) => `${id}: ${problem}`,
        ),
      )
    }
    await storage.close()
    const executions = await readLines(files.executions)
    bad.push(...judgeExecutions(executions))
    const takeOvers = new Set(acknowledged.map(({ sessionID: id, epoch }) => `${id} ${epoch}`)).size
    if (takeOvers <= SESSIONS.length) bad.push(`No worker took a session from another: ${takeOvers} leases in all.`)
    return {
      points: hits,
      bad,
      note: `${acknowledged.length} commits, ${takeOvers} leases, ${executions.length} calls`,
    }
  })
}

/** Kills or stops a worker from time to time. A worker that ends by itself is a failure. */
async function disturb(startWorker: () => Promise<RunningProcess>, duration: number, onPoint: () => void) {
  const bad: string[] = []
  const killed = new WeakSet<RunningProcess>()
  const watch = (worker: RunningProcess) => {
    void worker.ended.then(({ status, errors }) => {
      if (!killed.has(worker) && status !== null) bad.push(`A worker ended with ${status}: ${errors}`)
    })
    return worker
  }
  const workers = await Promise.all(Array.from({ length: WORKERS }, async () => watch(await startWorker())))
  const end = performance.now() + duration
  let hits = 0
  while (performance.now() < end) {
    await sleep(100 + Math.random() * 300)
    const place = Math.floor(Math.random() * WORKERS)
    const worker = workers[place]
    if (!worker) continue
    hits++
    onPoint()
    if (Math.random() < 0.4) {
      killed.add(worker)
      worker.kill("SIGKILL")
      await worker.ended
      workers[place] = watch(await startWorker())
    } else {
      worker.kill("SIGSTOP")
      await sleep(LEASE_MS + 100 + Math.random() * 300)
      worker.kill("SIGCONT")
    }
  }
  return { workers, bad, hits }
}

async function readLines(path: string): Promise<string[]> {
  return (await readFile(path, "utf8").catch(() => "")).split("\n").filter(Boolean)
}
