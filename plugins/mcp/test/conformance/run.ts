// Runs a suite of @modelcontextprotocol/conformance against pawl's client: `all` unless another is named. Its scenarios
// run at once, dozens of processes, and some of them measure time: those that fail are played once more, each by itself.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createRequire } from "node:module"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const require = createRequire(import.meta.url)
const client = fileURLToPath(new URL("client.ts", import.meta.url))
const knownFailures = fileURLToPath(new URL("known-failures.yml", import.meta.url))
const suite = process.argv[2] ?? "all"
const program = require.resolve("@modelcontextprotocol/conformance/dist/index.js")
const results = await mkdtemp(join(tmpdir(), "pawl-mcp-results-"))
const command = `${process.execPath} --conditions=@pawl/source ${client}`

/** Its exit code and what it said, which is printed as well. */
async function conformance(...options: string[]): Promise<{ code: number; said: string }> {
  const running = spawn(
    process.execPath,
    [
      program,
      "client",
      "--command",
      command,
      "--expected-failures",
      knownFailures,
      "--output-dir",
      results,
      ...options,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  )
  let said = ""
  running.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text
    process.stdout.write(text)
  })
  const [code] = (await once(running, "close")) as [number | null]
  return { code: code ?? 1, said }
}

const { code, said } = await conformance("--suite", suite)
const [, unexpected = ""] = said.split("Unexpected failures (not in baseline):")
const failed = [...unexpected.matchAll(/^\s*✗ (\S+)/gm)].map(([, name = ""]) => name)
const again: number[] = []
for (const name of failed) again.push((await conformance("--scenario", name)).code)
await rm(results, { recursive: true, force: true })
// Playing again does not excuse a known failure that is one no more.
process.exitCode = failed.length > 0 && !/stale/i.test(said) ? Math.max(...again) : code
