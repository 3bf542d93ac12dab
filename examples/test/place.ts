import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { modelServer, type Reply } from "@pawl/model-server"
import { onTestFinished } from "vitest"

export const EXAMPLES = new URL("../", import.meta.url)

export function source(name: string): Promise<string> {
  return readFile(new URL(name, EXAMPLES), "utf8")
}

/** A directory for programs, and a model that answers them. Both end with the test. */
export async function place(replies: readonly Reply[]) {
  const server = await modelServer({ replies })
  onTestFinished(() => server.close())
  const directory = await mkdtemp(join(tmpdir(), "pawl-example-"))
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }))

  function start(name: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
    const file = fileURLToPath(new URL(name, EXAMPLES))
    const child = spawn(process.execPath, ["--conditions=@pawl/source", file, ...args], {
      cwd: directory,
      env: { ...process.env, HOME: directory, MODEL_URL: server.url, ...env },
    })
    onTestFinished(() => void child.kill("SIGKILL"))
    return child
  }
  async function run(name: string, ...args: readonly string[]) {
    const child = start(name, args)
    child.stdin.end()
    const ended = once(child, "close") as Promise<[code: number | null]>
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended])
    return { code, stdout, stderr }
  }
  return { server, directory, start, run }
}
