import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { judgeWrites } from "../contention/judge-writes.ts"
import type { WriterLine, WriterOptions } from "../contention/options.ts"
import { startWork, startChild } from "../processes/child.ts"
import { openStore } from "../subjects/open-store.ts"
import type { Sabotage } from "../subjects/sabotaged.ts"
import type { Subject } from "../subjects/subject.ts"
import { messageID, putSession, putUserMessage, sessionID } from "../workload/records.ts"
import { inNewDirectory } from "./in-place.ts"
import { inParallel } from "./in-parallel.ts"
import type { Lab, Sweep, SweepResult } from "./sweep.ts"

/** Several processes write to one store, alternately to their own session and to a shared one. */
export function contend(subject: Subject): Sweep {
  return {
    name: "many writers",
    subject,
    run: (lab) => sweep(lab, subject, lab.scale.writers, lab.scale.writesPerWriter),
    controls: [
      {
        guard: "an acknowledged commit is made",
        complaint: /has lost/,
        run: (lab) => sweep(lab, subject, 2, 20, "lossy"),
      },
    ],
  }
}

function sweep(lab: Lab, subject: Subject, writers: number, writes: number, sabotage?: Sabotage): Promise<SweepResult> {
  return inNewDirectory(lab.diskDirectory, async (directory) => {
    const [url, log, shared] = [subject.url(directory), join(directory, "log"), sessionID(1)]
    const storage = await openStore(url)
    await storage.commit(shared, [putSession(shared, "/srv/project"), putUserMessage(shared, messageID(1))])

    const numbers = Array.from({ length: writers }, (_, index) => index + 1)
    const children = await inParallel(numbers, lab.scale.concurrency, (writer) => {
      const options: WriterOptions = { url, writer, writes, shared, log }
      return startChild(lab, "writer", sabotage ? { ...options, sabotage } : options)
    })
    children.forEach(startWork)
    const ends = await Promise.all(children.map(({ ended }) => ended))

    const lines = (await readFile(log, "utf8"))
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as WriterLine)
    const bad = lines.flatMap((line) => ("problem" in line ? [line.problem] : []))
    for (const { status, signal, errors } of ends)
      if (status !== 0) bad.push(`Ended with ${status ?? signal}: ${errors}`)
    for (const id of [shared, ...numbers.map((writer) => sessionID(1000 + writer))]) {
      bad.push(...(await storage.readContext(id).then((context) => judgeWrites(context, lines), toProblem)))
    }
    await storage.close()
    const times = lines.flatMap((line) => ("problem" in line ? [] : [line.milliseconds])).toSorted((a, b) => a - b)
    const at = (share: number) => `${(times[Math.floor(times.length * share)] ?? 0).toFixed(1)} ms`
    return { points: times.length, bad, note: `p50 ${at(0.5)}, p99 ${at(0.99)}, max ${at(0.9999)}` }
  })
}

function toProblem(error: unknown): string[] {
  return [String(error)]
}
