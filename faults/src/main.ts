// Runs the sweeps and prints their failures.
//
//   node --conditions=@pawl/source src/main.ts [--full] [--subject sqlite,file] [--only killed] [--seed 7] [--no-controls]
//
// Exit code 1: a sweep found a failure, or a negative control found nothing. 2: unknown storage or sweep. 130:
// interrupted. Removes all files and processes in every case.

import { mkdtemp, rm } from "node:fs/promises"
import { accessSync, constants } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { childPrograms } from "./processes/child.ts"
import { createProcesses } from "./processes/processes.ts"
import { straceMissing } from "./processes/strace.ts"
import { unmountBelow } from "./processes/unmount-below.ts"
import { type Row, runSweeps } from "./report/run-sweeps.ts"
import { table } from "./report/table.ts"
import { findSubjects, type Subjects } from "./subjects/all.ts"
import { allSweeps } from "./sweeps/all.ts"
import { chooseSweeps } from "./sweeps/choose-sweeps.ts"
import { full, reduced } from "./sweeps/scale.ts"

const { values } = parseArgs({
  options: {
    full: { type: "boolean", default: process.env["PAWL_FAULTS"] === "full" },
    subject: { type: "string" },
    only: { type: "string" },
    seed: { type: "string" },
    controls: { type: "boolean", default: true },
  },
  allowNegative: true,
})

const processes = createProcesses()
const diskDirectory = await mkdtemp(join(tmpdir(), "pawl-faults-"))
const fastDirectory = await mkdtemp(join(isWritable("/dev/shm") ? "/dev/shm" : tmpdir(), "pawl-faults-"))
let finding: Promise<Subjects> | undefined
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    console.log("Interrupted; cleaning up.")
    void end().finally(() => process.exit(130))
  })

try {
  finding = findSubjects(values.subject?.split(","))
  const { subjects, server, missing } = await finding
  for (const reason of missing) console.log(reason)
  const lab = {
    processes,
    diskDirectory,
    fastDirectory,
    scale: values.full ? full : reduced,
    straceMissing: await straceMissing(processes),
    seed: values.seed === undefined ? undefined : Number(values.seed),
    childProgram: childPrograms(join(diskDirectory, "programs")),
  }
  const rows = await runSweeps(lab, chooseSweeps(allSweeps(subjects, server), values.only), {
    withControls: values.controls,
    print: console.log,
    progressEvery: 30_000,
  })
  const headings = ["sweep", "storage", "points", "bad", "seconds", ""]
  console.log(`\n${table([headings, ...rows.map(({ cells }) => cells)])}`)
  process.exitCode = rows.every(({ isGood }: Row) => isGood) ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
} finally {
  await end()
}

async function end(): Promise<void> {
  await processes.endAll()
  await finding?.then(
    (found) => found.close(),
    () => undefined,
  )
  unmountBelow(fastDirectory)
  // A process that was just ended may have created another file.
  const options = { recursive: true, force: true, maxRetries: 5 }
  await Promise.all([diskDirectory, fastDirectory].map((directory) => rm(directory, options)))
}

function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK)
    return true
  } catch {
    return false
  }
}
