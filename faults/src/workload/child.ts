// Runs the workload in its own process, for sweeps that interrupt it. Options: see WorkloadOptions.

import { StorageError } from "@pawl/core/storage"
import { waitForGo } from "../processes/wait-for-go.ts"
import { readAttempts } from "../record/attempt.ts"
import { createJudge } from "../record/judge.ts"
import { observe } from "../record/observe.ts"
import { openAttemptLog, recordingStorage } from "../record/recording-storage.ts"
import { subjectsOf } from "../record/subjects-of.ts"
import { loadStore, openStore } from "../subjects/open-store.ts"
import { sabotaged } from "../subjects/sabotaged.ts"
import type { WorkloadOptions } from "./options.ts"
import { planWorkload } from "./plan.ts"
import { runPlan } from "./run-plan.ts"

const options = JSON.parse(process.argv[2] ?? "{}") as WorkloadOptions
const { url, retries } = options
await loadStore(url)
const log = openAttemptLog(options.log)
await waitForGo()
const opened = await openPersistently()
if (opened) {
  const storage = recordingStorage(sabotaged(opened, options.sabotage), log)
  const isComplete = await runPlan(storage, planWorkload(options.directory, options.size), { retries, onFailure })
  await storage.close().catch(reportUntyped)
  process.exitCode = isComplete ? 0 : 4
} else {
  process.exitCode = 5
}

async function openPersistently() {
  for (let attempt = 0; attempt <= retries; attempt++) {
    try {
      return await openStore(url)
    } catch (error) {
      reportUntyped(error)
    }
  }
  return undefined
}

/** After a failure the storage must return complete commits only, or a typed error. */
async function onFailure(error: unknown): Promise<void> {
  reportUntyped(error)
  if (!opened) return
  const { attempts } = readAttempts(log.text)
  try {
    const problems = await createJudge()(await observe(opened, subjectsOf(attempts)), attempts)
    for (const problem of problems) log.add({ problem: `After a failure: ${problem}` })
  } catch (unreadable) {
    reportUntyped(unreadable)
  }
}

function reportUntyped(error: unknown): void {
  if (!(error instanceof StorageError)) log.add({ problem: `Not a StorageError: ${String(error)}` })
}
