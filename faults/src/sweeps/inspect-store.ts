import { observe, type Observation } from "../record/observe.ts"
import { openStore } from "../subjects/open-store.ts"
import { nextCommit, type PlanSize, planSubjects } from "../workload/plan.ts"

export interface Inspection {
  /** Undefined if the store cannot be opened or read. */
  readonly observation: Observation | undefined
  readonly problems: readonly string[]
}

/**
 * Opens a store after a fault. Reads its content, verifies its records, and checks that each session accepts another
 * commit that is still there after reopening.
 */
export async function inspectStore(url: string, size: PlanSize): Promise<Inspection> {
  const problems: string[] = []
  let observation: Observation | undefined
  try {
    const storage = await openStore(url)
    try {
      observation = await observe(storage, planSubjects(size))
      for await (const { kind, message } of storage.verify()) problems.push(`verify, ${kind}: ${message}`)
      for (const id of planSubjects(size).sessions) {
        const { sessionID, writes } = nextCommit(id, "/srv/project")
        await storage.commit(sessionID, writes)
      }
    } finally {
      await storage.close()
    }
    const reopened = await openStore(url)
    try {
      for (const id of planSubjects(size).sessions) {
        const session = await reopened.getSession(id)
        if (session?.title !== "After") problems.push(`The next commit of ${id} is lost.`)
      }
    } finally {
      await reopened.close()
    }
  } catch (error) {
    problems.push(`Cannot be used: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  }
  return { observation, problems }
}
