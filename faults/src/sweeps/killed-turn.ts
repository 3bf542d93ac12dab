import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { MaintainedStorage } from "@pawl/core/storage"
import { modelServer } from "@pawl/model-server"
import { startWork, startChild } from "../processes/child.ts"
import type { RunningProcess } from "../processes/processes.ts"
import { readAttempts } from "../record/attempt.ts"
import { createJudge } from "../record/judge.ts"
import { observe } from "../record/observe.ts"
import { subjectsOf } from "../record/subjects-of.ts"
import { openStore } from "../subjects/open-store.ts"
import type { Sabotage } from "../subjects/sabotaged.ts"
import type { Subject } from "../subjects/subject.ts"
import { judgeTurn } from "../turn/judge-turn.ts"
import type { TurnOptions } from "../turn/options.ts"
import { runTurn } from "../turn/run-turn.ts"
import { goingOn, wholeTurn } from "../turn/script.ts"
import { inNewDirectory } from "./in-place.ts"
import type { Lab } from "./sweep.ts"

export interface KilledTurn {
  /** False if the turn ended before it was killed. */
  readonly wasKilled: boolean
  /** Duration from the start signal to the end. */
  readonly milliseconds: number
  readonly problems: readonly string[]
}

/**
 * Runs a turn in a child that `hit` kills, and continues the session in this process. Everything acknowledged must be
 * stored, the model must get a valid request, and each call must end and must not be executed twice.
 */
export function killTurn(
  lab: Lab,
  subject: Subject,
  hit: (child: RunningProcess) => Promise<RunningProcess | undefined>,
  sabotage?: Sabotage,
): Promise<KilledTurn> {
  return inNewDirectory(lab.fastDirectory, async (directory) => {
    await using first = await modelServer({ replies: wholeTurn() })
    const files = { log: join(directory, "attempts.jsonl"), marks: join(directory, "marks.txt") }
    const url = subject.url(directory)
    const options: TurnOptions = { url, directory, ...files, model: first.url, prompt: "Mark all" }
    const broken = sabotage ? { ...options, sabotage } : options
    const child = await startChild(lab, "turn", broken)
    const hitter = await hit(child)
    const start = performance.now()
    startWork(child)
    const ended = await child.ended
    const milliseconds = performance.now() - start
    await hitter?.ended

    const wasKilled = ended.signal === "SIGKILL"
    if (!wasKilled && ended.status !== 0)
      return { wasKilled, milliseconds, problems: [`It failed with ${ended.status}: ${ended.errors}`] }
    const problems = await continueTurn(options).catch((error: unknown) => [`Going on failed: ${describe(error)}`])
    return { wasKilled, milliseconds, problems }
  })
}

async function continueTurn(options: TurnOptions): Promise<string[]> {
  const { attempts } = readAttempts(await readText(options.log))
  const storage = await openStore(options.url)
  const problems = await createJudge()(await observe(storage, subjectsOf(attempts)), attempts)
  const [sessionID] = subjectsOf(attempts).sessions
  const session = sessionID && (await storage.getSession(sessionID))
  problems.push(...(await sessionsWithoutPrompt(storage)))
  await storage.close()

  await using second = await modelServer({ replies: goingOn() })
  const continued = { ...options, model: second.url, prompt: "Go on", log: `${options.log}.2` }
  const result = await runTurn(session ? { ...continued, sessionID: session.id } : continued)
  if (result.type !== "answered") problems.push(`The next prompt was not answered: ${JSON.stringify(result)}`)
  for (const { status } of second.requests) if (status !== 200) problems.push(`A request was refused with ${status}.`)

  const again = readAttempts(await readText(continued.log))
  const [continuedID] = subjectsOf(again.attempts).sessions
  const reopened = await openStore(options.url)
  const { messages } = await reopened.readContext(continuedID ?? "ses_")
  await reopened.close()
  const marks = (await readText(options.marks)).split("\n").filter(Boolean)
  return [...problems, ...judgeTurn(messages, marks)]
}

async function sessionsWithoutPrompt(storage: MaintainedStorage): Promise<string[]> {
  const problems: string[] = []
  for await (const { id } of storage.listSessions()) {
    const { messages } = await storage.readContext(id)
    if (!messages.some(({ info }) => info.role === "user")) problems.push(`Session ${id} has no prompt.`)
  }
  return problems
}

async function readText(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "")
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
