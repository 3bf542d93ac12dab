import { describe, it } from "vitest"
import { createTestLocation, type StorageInProcesses } from "./test-location.ts"
import { type Skip, skipLines } from "../skip-lines.ts"
import { processSpecs } from "./process-specs.ts"

export interface TestedInProcesses extends StorageInProcesses {
  /** Specs to skip, by name. The reason is part of the test's name. */
  readonly skip?: readonly Skip[]
}

/**
 * Registers the specs for several processes with vitest, and prints the skipped ones. Child processes import the
 * storage's module with Node, without transformation.
 */
export function testStorageProcesses(name: string, { skip = [], ...storage }: TestedInProcesses): void {
  for (const { spec, reason } of skip) {
    if (!processSpecs[spec]) throw new Error(`"${spec}" is to be skipped, but no spec has that name.`)
    if (reason.trim() === "") throw new Error(`"${spec}" is to be skipped without a reason. Give one.`)
  }
  const suite = `storage among processes: ${name}`
  for (const line of skipLines(suite, skip)) console.info(line)
  describe(suite, () => {
    for (const [spec, run] of Object.entries(processSpecs)) {
      const reason = skip.find((one) => one.spec === spec)?.reason
      if (reason === undefined) it(spec, async () => run(await createTestLocation(storage)))
      else it.skip(`${spec} (skipped: ${reason})`)
    }
  })
}
