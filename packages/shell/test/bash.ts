import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Programs that write down how they are called, and do nothing else. */
const RECORDED = (
  "rm curl git npm npx make pnpm yarn docker kubectl ls cp mv sudo wget grep wc sort head tail mkdir jq tar diff node " +
  "python3 ssh"
).split(" ")

/** Programs that are what they are. */
const REAL = (
  "sh bash dash env timeout nice nohup setsid stdbuf ionice taskset prlimit unshare xargs find flock cat tee sed awk " +
  "seq touch true tr rev base64 split time expr sleep"
).split(" ")

// One write for each call, so that calls at the same time do not mix. The last word ends it.
const RECORDER = `#!/bin/sh\nprintf "%s\\0" "\${0##*/}" "$@" "//" >> "$CALLS"\n`

export interface Bash extends AsyncDisposable {
  /** Runs a command in a directory of its own; returns what it called of the recorded programs. */
  callsOf(command: string): Promise<string[][]>
}

/** Real bash, with a PATH of programs that can do no harm. */
export async function createBash(): Promise<Bash> {
  const root = await mkdtemp(join(tmpdir(), "pawl-shell-"))
  const bin = join(root, "bin")
  await mkdir(bin)
  const recorder = join(root, "recorder")
  await writeFile(recorder, RECORDER, { mode: 0o755 })
  await Promise.all(RECORDED.map((name) => symlink(recorder, join(bin, name))))
  for (const name of REAL) {
    const path = ["/usr/bin", "/bin"].map((directory) => join(directory, name)).find(existsSync)
    if (path !== undefined) await symlink(path, join(bin, name))
  }
  let count = 0
  return {
    async callsOf(command) {
      const work = join(root, `work-${count++}`)
      const calls = `${work}.calls`
      await mkdir(work)
      const env = { PATH: bin, HOME: work, CALLS: calls, LC_ALL: "C.UTF-8" }
      const child = spawn("/bin/bash", ["-c", command], { cwd: work, env, stdio: "ignore", detached: true })
      const timer = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, "SIGKILL"), 60_000)
      await once(child, "exit")
      clearTimeout(timer)
      return parseCalls(await readFile(calls, "utf8").catch(() => ""))
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  }
}

function parseCalls(text: string): string[][] {
  const calls: string[][] = []
  let current: string[] = []
  for (const word of text.split("\0").slice(0, -1)) {
    if (word !== "//") {
      current.push(word)
      continue
    }
    calls.push(current)
    current = []
  }
  return calls
}

/** Runs a task for each value, four at a time. */
export async function forEach<T>(values: readonly T[], task: (value: T) => Promise<void>): Promise<void> {
  const queue = [...values]
  const work = async () => {
    for (let value = queue.shift(); value !== undefined; value = queue.shift()) await task(value)
  }
  await Promise.all([work(), work(), work(), work()])
}
