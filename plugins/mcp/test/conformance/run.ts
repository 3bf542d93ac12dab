// Runs a suite of @modelcontextprotocol/conformance against pawl's client: `all` unless another is named.
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
const options = ["--suite", suite, "--expected-failures", knownFailures, "--output-dir", results]
const running = spawn(process.execPath, [program, "client", "--command", command, ...options], { stdio: "inherit" })
const [code] = (await once(running, "exit")) as [number | null]
await rm(results, { recursive: true, force: true })
process.exitCode = code ?? 1
