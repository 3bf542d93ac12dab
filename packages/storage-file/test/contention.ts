// Has many processes commit to one session at the same time: `contention.ts [processes] [commits of each]`. Prints how long
// commits waited and fails where one process fails or a commit is missing.
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { sessionID } from "@pawl/storage-testkit/samples"
import { fileStorage } from "../src/file-storage.ts"
import { collect } from "./collect.ts"

const processes = Number(process.argv[2] ?? 16)
const commits = Number(process.argv[3] ?? 500)
const path = mkdtempSync(join(tmpdir(), "pawl-file-"))
const script = fileURLToPath(new URL("commit-many.ts", import.meta.url))
const run = promisify(execFile)

try {
  const runs = Array.from({ length: processes }, (_, index) => {
    const args = ["--conditions=@pawl/source", script, path, String(index * commits + 1), String(commits)]
    return run(process.execPath, args, { maxBuffer: 2 ** 26 })
  })
  const outputs = await Promise.allSettled(runs)
  const failures = outputs.flatMap((output) => (output.status === "rejected" ? [String(output.reason)] : []))
  const times = outputs
    .flatMap((output) => (output.status === "fulfilled" ? (JSON.parse(output.value.stdout) as number[]) : []))
    .sort((a, b) => a - b)
  const at = (share: number) => times[Math.ceil(times.length * share) - 1]?.toFixed(0)

  const storage = await fileStorage({ path })
  const { messages, revision } = await storage.readContext(sessionID(1))
  const problems = await collect(storage.verify())
  await storage.close()
  console.log(`${failures.length} of ${processes} processes failed`, failures.join("\n"))
  console.log(`${messages.length} messages, revision ${revision}, ${problems.length} problems`)
  console.log(`p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`)
  const isWhole = messages.length === processes * commits && revision === processes * (commits + 1)
  process.exitCode = failures.length === 0 && isWhole && problems.length === 0 ? 0 : 1
} finally {
  rmSync(path, { recursive: true, force: true })
}
