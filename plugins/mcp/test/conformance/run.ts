// Runs a suite of @modelcontextprotocol/conformance against pawl's client: `core` unless another is named.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createRequire } from "node:module"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const suite = process.argv[2] ?? "core"
const program = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/dist/index.js")
const results = await mkdtemp(join(tmpdir(), "pawl-mcp-results-"))
const command = `${process.execPath} --conditions=@pawl/source ${here("client.ts")}`
const options = ["--suite", suite, "--expected-failures", here("known-failures.yml"), "--output-dir", results]
const running = spawn(process.execPath, [program, "client", "--command", command, ...options], { stdio: "inherit" })
const [code] = (await once(running, "exit")) as [number | null]
await rm(results, { recursive: true, force: true })
process.exitCode = code ?? 1
