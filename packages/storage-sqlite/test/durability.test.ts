import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { startChild } from "./child.ts"
import { temporaryDirectory } from "./place.ts"

const canTrace = spawnSync("strace", ["-qq", "-o", "/dev/null", "true"]).status === 0

it.runIf(canTrace).each([
  ["is on the disk before it is acknowledged", "sync", 0],
  ["is left to the system when it is acknowledged", "async", 3],
])("a commit %s with durability %s", async (_, durability, lost) => {
  const directory = temporaryDirectory()
  const trace = join(directory, "trace")
  const strace = ["strace", "-f", "-y", "-qq", "-e", "trace=write,pwrite64,fsync,fdatasync", "-o", trace]
  const child = startChild("commit-thrice.ts", [join(directory, "pawl.db"), durability], strace)
  expect(await child.ended).toEqual({ code: 0, signal: null, stderr: "" })
  const unsynced = unsyncedWrites(readFileSync(trace, "utf8"))
  expect(unsynced).toHaveLength(3)
  expect(unsynced.filter((count) => count > 0)).toHaveLength(lost)
})

/** At each acknowledgement: how many writes to the log have not been synced since. */
function unsyncedWrites(trace: string): number[] {
  let unsynced = 0
  const counts: number[] = []
  for (const line of trace.split("\n")) {
    if (/pwrite64\(\d+<[^>]*-wal>/.test(line)) unsynced++
    if (/f(data)?sync\(\d+<[^>]*-wal>\) += 0/.test(line)) unsynced = 0
    if (/ write\(1<[^>]*>, "\d+\\n"/.test(line)) counts.push(unsynced)
  }
  return counts
}
