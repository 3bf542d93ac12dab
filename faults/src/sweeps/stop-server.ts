import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type MaintainedStorage, StorageError } from "@pawl/core/storage"
import type { TestServer } from "@pawl/postgres-test-server"
import { readAttempts } from "../record/attempt.ts"
import { createJudge } from "../record/judge.ts"
import { observe } from "../record/observe.ts"
import { openAttemptLog, recordingStorage } from "../record/recording-storage.ts"
import { subjectsOf } from "../record/subjects-of.ts"
import { openStore } from "../subjects/open-store.ts"
import { type Sabotage, sabotaged } from "../subjects/sabotaged.ts"
import type { Subject } from "../subjects/subject.ts"
import { messageID, partID, putSession, putText, putUserMessage, sessionID } from "../workload/records.ts"
import { inNewDirectory } from "./in-place.ts"
import type { Lab, Sweep, SweepResult } from "./sweep.ts"
import { terminateConnections } from "./terminate-connections.ts"

const SESSIONS = [1, 2, 3, 4].map(sessionID)

/** Writes to sessions while the server drops its connections, crashes and starts again. */
export function stopServer(subject: Subject, server: TestServer): Sweep {
  return {
    name: "the server stops",
    subject,
    run: (lab) => sweep(lab, subject, server, lab.scale.outages),
    controls: [
      {
        guard: "an acknowledged commit is made",
        complaint: /Session .* possible/,
        run: (lab) => sweep(lab, subject, server, 1, "lossy"),
      },
    ],
  }
}

function sweep(
  lab: Lab,
  subject: Subject,
  server: TestServer,
  outages: number,
  sabotage?: Sabotage,
): Promise<SweepResult> {
  return inNewDirectory(lab.fastDirectory, async (directory) => {
    const [url, path] = [subject.url(directory), join(directory, "log")]
    const opened = await openStore(url)
    const storage = recordingStorage(sabotaged(opened, sabotage), openAttemptLog(path))
    const stopping = new AbortController()
    const bad: string[] = []
    const writing = SESSIONS.map((id) => writeAll(storage, id, stopping.signal, bad))
    for (let outage = 0; outage < outages; outage++) {
      await sleep(200 + Math.random() * 200)
      await terminateConnections(server.url)
      await sleep(200 + Math.random() * 200)
      await server.stop("immediate")
      await sleep(Math.random() * 300)
      await server.start()
      lab.onPoint()
    }
    await sleep(500)
    stopping.abort()
    await Promise.all(writing)
    const { attempts } = readAttempts(await readFile(path, "utf8"))
    await opened.close()
    const reopened = await openStore(url)
    bad.push(...(await createJudge()(await observe(reopened, subjectsOf(attempts)), attempts)))
    await reopened.close()
    const failed = attempts.filter(({ outcome }) => outcome.type === "failed").length
    if (attempts.length <= SESSIONS.length) bad.push("Nothing was written while the server stopped and started.")
    return { points: 2 * outages, bad, note: `${attempts.length} commits, ${failed} refused` }
  })
}

/** Commits one after another. Repeats a failed commit with a new message. */
async function writeAll(
  storage: MaintainedStorage,
  id: ReturnType<typeof sessionID>,
  signal: AbortSignal,
  bad: string[],
) {
  let isThere = false
  for (let number = 1; !signal.aborted; number++) {
    const message = [putUserMessage(id, messageID(number)), putText(id, messageID(number), partID(1), "Word")]
    try {
      await storage.commit(id, isThere ? message : [putSession(id, "/srv/project"), ...message])
      isThere = true
    } catch (error) {
      if (!(error instanceof StorageError)) bad.push(`Not a StorageError: ${String(error)}`)
      await sleep(20)
    }
  }
}
