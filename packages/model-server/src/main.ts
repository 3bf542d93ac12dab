#!/usr/bin/env node
import { once } from "node:events"
import { appendFileSync, closeSync, openSync } from "node:fs"
import { parseArguments, usageText, type ServeArguments } from "./arguments.ts"
import { modelServer } from "./model-server.ts"
import type { RecordedRequest } from "./recorded-request.ts"
import { readScript } from "./script/script-file.ts"

async function serve({ script, log, apiKey, models, ...options }: ServeArguments): Promise<void> {
  const replies = await readScript(script)
  const file = log === undefined ? undefined : openSync(log, "a")
  const server = await modelServer({
    replies,
    ...options,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(models === undefined ? {} : { models }),
    record: false,
    onRequest: (request) => {
      // Written before the reply starts, so that a client that has the reply finds its request in the log.
      if (file !== undefined) appendFileSync(file, toLogLine(request))
    },
  })
  process.stdout.write(`${JSON.stringify({ url: server.url, pid: process.pid })}\n`)
  await stopRequest()
  await server.close()
  if (file !== undefined) closeSync(file)
}

function toLogLine({ path, receivedAt, raw }: RecordedRequest): string {
  return `${JSON.stringify({ receivedAt: performance.timeOrigin + receivedAt, path, body: raw.toString() })}\n`
}

async function stopRequest(): Promise<void> {
  process.stdin.resume()
  await Promise.race([
    once(process, "SIGTERM"),
    once(process, "SIGINT"),
    // A closed pipe may also emit an error. Both mean that the parent has exited.
    new Promise((resolve) => process.stdin.once("close", resolve).once("end", resolve).once("error", resolve)),
  ])
  process.stdin.destroy()
}

async function main(): Promise<void> {
  try {
    const parsed = parseArguments(process.argv.slice(2))
    if (parsed.type === "help") process.stdout.write(usageText)
    else await serve(parsed)
  } catch (error) {
    process.stderr.write(`pawl-model-server: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}

await main()
