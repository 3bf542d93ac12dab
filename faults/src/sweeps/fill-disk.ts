import { spawnSync } from "node:child_process"
import { mkdir, rm, statfs, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type MaintainedStorage, StorageError } from "@pawl/core/storage"
import { type Attempt, readAttempts } from "../record/attempt.ts"
import { createJudge } from "../record/judge.ts"
import { observe } from "../record/observe.ts"
import { openAttemptLog, recordingStorage } from "../record/recording-storage.ts"
import { subjectsOf } from "../record/subjects-of.ts"
import { readFile } from "node:fs/promises"
import { openStore } from "../subjects/open-store.ts"
import { type Sabotage, sabotaged } from "../subjects/sabotaged.ts"
import type { Subject } from "../subjects/subject.ts"
import { messageID, partID, putSession, putText, putUserMessage, sessionID } from "../workload/records.ts"
import { inNewDirectory } from "./in-place.ts"
import type { Lab, Skipped, Sweep, SweepResult } from "./sweep.ts"

const PAGE = 4096
const session = sessionID(1)

/** Fills a small disk to its last pages and frees some space again. */
export function fillDisk(subject: Subject): Sweep {
  return {
    name: "the disk is full",
    subject,
    run: (lab) => sweep(lab, subject),
    controls: [
      {
        guard: "failures are typed",
        complaint: /Not a StorageError/,
        run: (lab) => sweep(lab, subject, "foreign"),
      },
    ],
  }
}

async function sweep(lab: Lab, subject: Subject, sabotage?: Sabotage): Promise<SweepResult | Skipped> {
  return inNewDirectory(lab.fastDirectory, async (directory) => {
    const disk = join(directory, "disk")
    await mkdir(disk)
    if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m", "none", disk]).status !== 0) {
      return { skipped: "no file system may be mounted here: run as root" }
    }
    try {
      return await fillAgainAndAgain(lab, subject.url(disk), disk, join(directory, "log"), sabotage)
    } finally {
      spawnSync("umount", [disk])
    }
  })
}

async function fillAgainAndAgain(
  lab: Lab,
  url: string,
  disk: string,
  path: string,
  sabotage?: Sabotage,
): Promise<SweepResult> {
  const storage = recordingStorage(sabotaged(await openStore(url), sabotage), openAttemptLog(path))
  const bad: string[] = []
  await storage.commit(session, [putSession(session, "/srv/project")])
  const ballast = join(disk, "ballast")
  let [points, number] = [0, 1]
  for (let free = 0; free <= 24; free += lab.scale.fullDiskStep) {
    const { bavail } = await statfs(disk)
    await writeFile(ballast, Buffer.alloc(Math.max(0, bavail - free) * PAGE))
    const problems = await commitUntilFull(storage, () => ++number)
    await rm(ballast)
    points++
    lab.onPoint()
    problems.push(...(await storage.commit(session, message(++number)).then(() => [], toProblem)))
    const { attempts } = readAttempts(await readFile(path, "utf8"))
    problems.push(...(await judge(storage, attempts)))
    if (problems.length > 0) bad.push(`${free} pages free: ${problems.join(" ")}`)
  }
  await storage.close()
  const reopened = await openStore(url)
  const { attempts } = readAttempts(await readFile(path, "utf8"))
  bad.push(...(await judge(reopened, attempts)))
  await reopened.close()
  const refused = attempts.filter(({ outcome }) => outcome.type === "failed").length
  if (refused === 0) bad.push("The disk was never full: no commit was refused.")
  return { points, bad, note: `${refused} commits refused` }
}

async function commitUntilFull(storage: MaintainedStorage, next: () => number): Promise<string[]> {
  for (let count = 0; count < 60; count++) {
    try {
      await storage.commit(session, message(next()))
    } catch (error) {
      return error instanceof StorageError ? [] : toProblem(error)
    }
  }
  return []
}

function message(number: number) {
  return [putUserMessage(session, messageID(number)), putText(session, messageID(number), partID(1), "x".repeat(3000))]
}

async function judge(storage: MaintainedStorage, attempts: readonly Attempt[]): Promise<string[]> {
  return createJudge()(await observe(storage, subjectsOf(attempts)), attempts).catch(toProblem)
}

function toProblem(error: unknown): string[] {
  return [`${error instanceof StorageError ? "With room again" : "Not a StorageError"}: ${String(error)}`]
}
