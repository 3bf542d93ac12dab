// Runs one turn in its own process, for tests that kill it. Calls the model server at MODEL_URL.
//
//   node turn.ts <database> <directory> [--session id] [--kill before|after:N] -- prompt
//
// `--kill before:3` ends with SIGKILL just before the third commit, `after:3` just after it. Prints the session's id once it is stored.

import { appendFile } from "node:fs/promises"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { createEngine, type SessionID } from "@pawl/core"
import type { Storage } from "@pawl/core/storage"
import { defineTool } from "@pawl/core/tool"
import { openAICompatible } from "@pawl/provider-openai-compatible"
import { sqliteStorage } from "@pawl/storage-sqlite"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { session: { type: "string" }, kill: { type: "string" } },
})
const [database = "", directory = "", prompt = ""] = positionals
const baseURL = process.env["MODEL_URL"] ?? ""

let commits = 0
const storage = dyingStorage(await sqliteStorage({ path: database }), values.kill)
const mark = defineTool<{ text: string }>({
  name: "mark",
  description: "Writes the call's id to a file.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  effect: "unsafe",
  parse: (input) => input as { text: string },
  async execute({ text }, { callID }) {
    await appendFile(join(directory, "marks.txt"), `${callID}\n`)
    return { title: text, output: `marked ${text}` }
  },
})
const engine = await createEngine({
  storage,
  tools: [mark],
  providers: [openAICompatible({ id: "local", baseURL, models: [{ id: "scripted" }] })],
  model: { providerID: "local", modelID: "scripted" },
})
const sessionID = (values.session as SessionID | undefined) ?? engine.draftSession({ directory }).id
if (values.session !== undefined) process.stdout.write(`${sessionID}\n`)
engine.subscribe(({ type }) => type === "session.created" && process.stdout.write(`${sessionID}\n`))
const result = await engine.prompt({ sessionID, parts: [{ type: "text", text: prompt }] })
await engine.close()
await storage.close()
process.stdout.write(`${commits} commits\n${result.type}\n`)

function dyingStorage(inner: Storage, when: string | undefined): Storage {
  const [side, at] = when?.split(":") ?? []
  return {
    ...inner,
    async commit(...args) {
      const isLast = ++commits === Number(at)
      if (isLast && side === "before") process.kill(process.pid, "SIGKILL")
      const revision = await inner.commit(...args)
      if (isLast && side === "after") process.kill(process.pid, "SIGKILL")
      return revision
    },
  }
}
