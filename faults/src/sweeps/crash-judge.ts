import type { Files } from "../crash-states/disk.ts"
import { digest } from "../crash-states/digest.ts"
import { materialize } from "../crash-states/materialize.ts"
import type { Attempt } from "../record/attempt.ts"
import { createJudge } from "../record/judge.ts"
import type { Subject } from "../subjects/subject.ts"
import { inNewDirectory } from "./in-place.ts"
import { inspectStore, type Inspection } from "./inspect-store.ts"
import type { Lab } from "./sweep.ts"

/** Opens the states after power cuts and reports failures. */
export interface CrashJudge {
  judge(files: Files, attempts: readonly Attempt[]): Promise<string[]>
  /** Number of distinct states. */
  readonly different: number
}

export function createCrashJudge(lab: Lab, subject: Subject): CrashJudge {
  const judge = createJudge()
  const inspections = new Map<string, Inspection>()

  /** Opens each distinct state only once. */
  async function inspect(files: Files): Promise<Inspection> {
    const key = digest(files)
    const inspection =
      inspections.get(key) ??
      (await inNewDirectory(lab.fastDirectory, async (directory) => {
        await materialize(directory, files)
        return inspectStore(subject.url(directory), lab.scale.size)
      }))
    inspections.set(key, inspection)
    return inspection
  }

  return {
    get different() {
      return inspections.size
    },
    async judge(files, attempts) {
      const { observation, problems } = await inspect(files)
      return observation ? [...problems, ...(await judge(observation, attempts))] : [...problems]
    },
  }
}
