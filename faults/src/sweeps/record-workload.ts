import { readFile } from "node:fs/promises"
import type { TraceEvent } from "../crash-states/system-call.ts"
import { inAnotherBoot } from "../processes/another-boot.ts"
import { recordTrace } from "../processes/record-trace.ts"
import type { Subject } from "../subjects/subject.ts"
import type { WorkloadOptions } from "../workload/options.ts"
import type { Lab } from "./sweep.ts"

/**
 * Runs the workload in another boot, in a directory that simulates a disk. Returns its calls, which include its log.
 */
export async function recordWorkload(lab: Lab, subject: Subject, disk: string): Promise<TraceEvent[]> {
  const log = `${disk}.attempts.jsonl`
  const { size } = lab.scale
  const options: WorkloadOptions = { url: subject.url(disk), directory: "/srv/project", log, size, retries: 0 }
  const wrapper = await inAnotherBoot(`${disk}.boot`)
  try {
    return await recordTrace(lab, "workload", options, { file: `${disk}.trace`, wrapper })
  } catch (error) {
    throw new Error(`${String(error)} ${await readFile(log, "utf8").catch(() => "")}`, { cause: error })
  }
}
