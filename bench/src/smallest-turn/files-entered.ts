// Counts the files of core with a function that runs in the smallest turn that means anything: one prompt, one tool call, one
// answer, with storage in memory and without plugins and limits. Also prints the functions and calls, and the turn's commits.
// `node --conditions=@pawl/source bench/src/smallest-turn/files-entered.ts [--list]`
import { Session } from "node:inspector/promises"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { createEngine } from "@pawl/core"
import type { Model, ModelEvent } from "@pawl/core/provider"
import { defineTool } from "@pawl/core/tool"
import { memoryStorage } from "@pawl/storage-memory"

const { values } = parseArgs({ options: { list: { type: "boolean" } } })
const ref = { providerID: "local", modelID: "scripted" }
const usage = { input: 100, output: 10, reasoning: 0, cache: { read: 0, write: 0 } }
const finish = (reason: "stop" | "tool-calls"): ModelEvent => ({ type: "finish", reason, usage })
const answers: ModelEvent[][] = [
  [{ type: "tool-call", id: "call_1", name: "instant", input: "{}" }, finish("tool-calls")],
  [
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", text: "Done." },
    { type: "text-end", id: "1" },
    finish("stop"),
  ],
]
const model: Model = {
  ref,
  info: {
    id: ref.modelID,
    name: ref.modelID,
    limit: { context: 200_000, output: 8000 },
    cost: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
    capabilities: { reasoning: false, attachment: false, toolCall: true },
  },
  async *stream() {
    yield* answers.shift() ?? []
  },
}
const instant = defineTool<object>({
  name: "instant",
  description: "Returns at once.",
  inputSchema: { type: "object" },
  effect: "pure",
  parse: (input) => input as object,
  execute: async () => ({ title: "instant", output: "Nothing to wait for." }),
})

const memory = memoryStorage()
let commits = 0
const storage = Object.assign(Object.create(memory) as typeof memory, {
  commit: (...input: Parameters<typeof memory.commit>) => (commits++, memory.commit(...input)),
})
await using engine = await createEngine({
  storage,
  tools: [instant],
  providers: [{ id: ref.providerID, name: "local", models: async () => [model.info], model: async () => model }],
  model: ref,
})
const { id: sessionID } = await engine.createSession({ directory: import.meta.dirname })
const inspector = new Session()
inspector.connect()
await inspector.post("Profiler.enable")
await inspector.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false })
commits = 0
const result = await engine.prompt({ sessionID, parts: [{ type: "text", text: "Go" }] })
const committed = commits
const coverage = await inspector.post("Profiler.takePreciseCoverage")
if (result.type !== "answered") throw new Error(`The turn was not answered: ${JSON.stringify(result)}`)

const core = new URL("../../../packages/core/src/", import.meta.url).href
const files = coverage.result.flatMap(({ url, functions }) => {
  // The function without a name at the start is the module itself.
  const entered = functions.filter(({ functionName, ranges: [range] }) => {
    return range !== undefined && range.count > 0 && !(functionName === "" && range.startOffset === 0)
  })
  const calls = entered.reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0)
  return url.startsWith(core) && entered.length > 0 ? [{ url, functions: entered.length, calls }] : []
})
const sum = (count: (file: (typeof files)[number]) => number) => files.reduce((all, file) => all + count(file), 0)
if (values.list) {
  for (const { url, functions, calls } of files.toSorted((a, b) => (a.url < b.url ? -1 : 1))) {
    console.log(`${fileURLToPath(url).slice(fileURLToPath(core).length)} ${functions} ${calls}`)
  }
}
const counts = `${sum(({ functions }) => functions)} functions, ${sum(({ calls }) => calls)} calls`
console.log(`${files.length} files of core entered, ${counts}, ${committed} commits.`)
