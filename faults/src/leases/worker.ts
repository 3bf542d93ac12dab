// A worker that acquires sessions and executes steps of them until it is killed. Each step has a call that must not run
// twice. Options: see WorkerOptions.

import { appendFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { type Lease, StaleLeaseError, type Write } from "@pawl/core/storage"
import { waitForGo } from "../processes/wait-for-go.ts"
import { loadStore, openStore } from "../subjects/open-store.ts"
import { sabotaged } from "../subjects/sabotaged.ts"
import { putCall, putText } from "../workload/records.ts"
import type { Acknowledged, WorkerOptions } from "./options.ts"
import { callPart, eventPart, lastStep, messageOf, unsettledCalls } from "./steps.ts"

const options = JSON.parse(process.argv[2] ?? "{}") as WorkerOptions
const { url, worker, sessions, ttl } = options
await loadStore(url)
await waitForGo()
const storage = sabotaged(await openStore(url), options.sabotage)
let events = 0

for (;;) {
  const id = sessions[Math.floor(Math.random() * sessions.length)]
  const lease = id && (await storage.acquire(id, worker, ttl))
  if (lease) await work(lease).catch(unlessStale)
  else await sleep(5)
}

async function work(lease: Lease): Promise<void> {
  const { sessionID } = lease.token
  const message = messageOf(sessionID)
  const { messages } = await storage.readContext(sessionID)
  const parts = messages.flatMap((message) => message.parts)
  // Calls of a dead owner are never executed again.
  for (const call of unsettledCalls(parts)) await commit(lease, putCall(sessionID, message, call, "interrupted"))
  for (let step = lastStep(parts) + 1, end = step + 5; step < end; step++) {
    await commit(lease, putCall(sessionID, message, callPart(step)))
    appendFileSync(options.executions, `${sessionID} ${step} ${worker}\n`)
    await sleep(Math.random() * 4)
    await commit(lease, putCall(sessionID, message, callPart(step), "done"))
  }
  await lease.release()
}

/** Every commit adds a unique event, which reveals gaps and stale owners. */
async function commit({ token }: Lease, write: Write): Promise<void> {
  const { sessionID, epoch } = token
  const event = putText(sessionID, messageOf(sessionID), eventPart(worker, ++events), String(epoch))
  const revision = await storage.commit(sessionID, [write, event], token)
  acknowledge({ sessionID, revision, epoch })
}

function acknowledge(line: Acknowledged): void {
  appendFileSync(options.acknowledged, `${JSON.stringify(line)}\n`)
}

function unlessStale(error: unknown): void {
  if (!(error instanceof StaleLeaseError)) throw error
}
