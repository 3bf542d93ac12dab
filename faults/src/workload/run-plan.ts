import type { MaintainedStorage } from "@pawl/core/storage"
import type { Round, Step } from "./plan.ts"

export async function runStep(storage: MaintainedStorage, step: Step): Promise<void> {
  if (step.type === "commit") await storage.commit(step.sessionID, step.writes)
  else if (step.type === "remove") await storage.removeSession(step.sessionID)
  else await storage.blobs.put(step.bytes)
}

export interface Failures {
  /** Maximum number of retries per step. */
  readonly retries: number
  readonly onFailure: (error: unknown) => Promise<void>
}

/** Runs the rounds one after another. Returns false if a step failed and has no retries left. */
export async function runPlan(
  storage: MaintainedStorage,
  rounds: readonly Round[],
  failures: Failures,
): Promise<boolean> {
  for (const round of rounds) {
    const results = await Promise.all(round.map((step) => persist(storage, step, failures)))
    if (results.includes(false)) return false
  }
  return true
}

async function persist(storage: MaintainedStorage, step: Step, { retries, onFailure }: Failures): Promise<boolean> {
  for (let attempt = 0; attempt <= retries; attempt++) {
    try {
      await runStep(storage, step)
      return true
    } catch (error) {
      await onFailure(error)
    }
  }
  return false
}
