// Runs the sweeps and prints what they found.
//
//   node --conditions=@pawl/source src/main.ts [--full] [--subject sqlite,file] [--only killed] [--no-twins]
//
// Ends with 1 when a sweep found something, or when a broken twin went unnoticed.

import { mkdtemp, rm } from "node:fs/promises"
import { accessSync, constants } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { createProcesses } from "./processes/processes.ts"
import { straceMissing } from "./processes/strace.ts"
import { type Row, runSweeps } from "./report/run-sweeps.ts"
import { table } from "./report/table.ts"
import { findSubjects } from "./subjects/all.ts"
import { allSweeps } from "./sweeps/all.ts"
import { full, reduced } from "./sweeps/scale.ts"

const { values } = parseArgs({
  options: {
    full: { type: "boolean", default: process.env["PAWL_FAULTS"] === "full" },
    subject: { type: "string" },
    only: { type: "string" },
    twins: { type: "boolean", default: true },
  },
  allowNegative: true,
})

const processes = createProcesses()
const diskDirectory = await mkdtemp(join(tmpdir(), "pawl-faults-"))
const fastDirectory = await mkdtemp(join(isWritable("/dev/shm") ? "/dev/shm" : tmpdir(), "pawl-faults-"))
const found = await findSubjects(values.subject?.split(","))
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void end().then(() => process.exit(130)))

const lab = {
  processes,
  diskDirectory,
  fastDirectory,
  scale: values.full ? full : reduced,
  straceMissing: await straceMissing(processes),
  compileCache: join(diskDirectory, "compiled"),
}
for (const reason of found.missing) console.log(reason)
const sweeps = allSweeps(found.subjects, found.server).filter(({ name }) => name.includes(values.only ?? ""))
try {
  const rows = await runSweeps(lab, sweeps, values.twins)
  const headings = ["sweep", "storage", "points", "bad", "seconds", ""]
  console.log(`\n${table([headings, ...rows.map(({ cells }) => cells)])}`)
  process.exitCode = rows.every(({ isGood }: Row) => isGood) ? 0 : 1
} finally {
  await end()
}

async function end(): Promise<void> {
  await processes.endAll()
  await found.close()
  // A process that has just been ended may have made a last file.
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
