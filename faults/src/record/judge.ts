import { isDeepStrictEqual } from "node:util"
import { NotFoundError, type SessionID } from "@pawl/core/storage"
import { memoryStorage } from "@pawl/storage-memory"
import type { Attempt } from "./attempt.ts"
import { observe, type Observation, type ObservedSession } from "./observe.ts"
import { possibleHistories } from "./possible-histories.ts"
import { subjectsOf } from "./subjects-of.ts"

/** Reports everything in an observation that contradicts the attempts. */
export type Judge = (observation: Observation, attempts: readonly Attempt[]) => Promise<string[]>

/** Results are cached by the numbers of the attempts, so use one judge only for attempts with the same numbering. */
export function createJudge(): Judge {
  const expectations = new Map<string, Promise<ObservedSession | undefined>>()

  function expected(id: SessionID, history: readonly Attempt[]): Promise<ObservedSession | undefined> {
    const key = `${id} ${history.map(({ number }) => number).join(" ")}`
    const known = expectations.get(key) ?? replay(id, history)
    expectations.set(key, known)
    return known
  }

  async function judgeSession(id: SessionID, found: ObservedSession | undefined, attempts: readonly Attempt[]) {
    if (found && !found.isListed) return `Session ${id} can be read and is not listed.`
    const tried: (ObservedSession | undefined)[] = []
    for (const history of possibleHistories(attempts, id)) {
      const wanted = await expected(id, history).catch(unlessImpossible)
      if (wanted === "impossible") continue
      if (isDeepStrictEqual(normal(found), normal(wanted))) return undefined
      tried.push(wanted)
    }
    return `Session ${id} ${difference(found, tried)}`
  }

  return async ({ sessions, blobs }, attempts) => {
    const problems: (string | undefined)[] = []
    for (const id of subjectsOf(attempts).sessions) {
      problems.push(await judgeSession(id, sessions.get(id), attempts))
    }
    for (const { operation, outcome } of attempts) {
      if (operation.type !== "blob") continue
      const isWhole = blobs.get(operation.id)
      if (isWhole === false) problems.push(`Blob ${operation.id} has other bytes than its id says.`)
      if (isWhole === undefined && outcome.type === "done") problems.push(`Blob ${operation.id} is lost.`)
    }
    return problems.filter((problem) => problem !== undefined)
  }
}

/** The history lacks something that a later commit needs. */
function unlessImpossible(error: unknown): "impossible" {
  if (error instanceof NotFoundError) return "impossible"
  throw error
}

/** Applies a history to the reference implementation. */
async function replay(id: SessionID, history: readonly Attempt[]): Promise<ObservedSession | undefined> {
  const storage = memoryStorage()
  for (const { operation } of history) {
    if (operation.type === "commit") await storage.commit(id, operation.writes)
    if (operation.type === "remove") await storage.removeSession(id)
  }
  const { sessions } = await observe(storage, { sessions: [id], blobs: [] })
  await storage.close()
  return sessions.get(id)
}

/** Normalizes through JSON, so that missing and undefined fields are equal. */
function normal(session: ObservedSession | undefined): unknown {
  return session && (JSON.parse(JSON.stringify(session)) as unknown)
}

function difference(found: ObservedSession | undefined, tried: readonly (ObservedSession | undefined)[]): string {
  const revisions = tried.map((session) => session?.context.revision ?? "none")
  const damaged = found?.context.damaged?.map(({ message }) => message).join(" ") ?? ""
  const state = found ? `is at revision ${found.context.revision}` : "is not there"
  const same = tried.find((session) => session?.context.revision === found?.context.revision)
  const place = found && same ? ` and differs from what was written at ${firstDifference(found, same)}` : ""
  return `${state}${place}; possible: ${revisions.join(", ") || "nothing"}. ${damaged}`.trim()
}

function firstDifference(found: ObservedSession, wanted: ObservedSession): string {
  const [left, right] = [JSON.stringify(normal(found)), JSON.stringify(normal(wanted))]
  let at = 0
  while (at < left.length && left[at] === right[at]) at++
  return `${left.slice(Math.max(0, at - 60), at + 60)} ≠ ${right.slice(Math.max(0, at - 60), at + 60)}`
}
