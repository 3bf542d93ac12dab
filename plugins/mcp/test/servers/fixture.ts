// A server for tests. What it does besides its tools is told by its environment.
import { spawn } from "node:child_process"
import { appendFileSync, existsSync, readFileSync } from "node:fs"
import { setTimeout as delay } from "node:timers/promises"
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import {
  CallToolRequestSchema,
  CreateMessageResultSchema,
  ElicitResultSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListRootsResultSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js"

const { FIXTURE_LOG, FIXTURE_PAGES, FIXTURE_STUBBORN, FIXTURE_SILENT, FIXTURE_GRANDCHILD } = process.env
const note = (text: string) => FIXTURE_LOG && appendFileSync(FIXTURE_LOG, `${text}\n`)
const schema = { type: "object" as const, properties: {} }
const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] })
const IMAGE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const names = [
  "echo",
  "slow",
  "fail",
  "mixed",
  "structured",
  "big",
  "elicit",
  "sample",
  "env",
  "grow",
  "change",
  "crash",
  "roots",
  "hang",
]
let more: string[] = []
let morePrompts: string[] = []
// Other words for the same configuration.
const rewording = `${FIXTURE_LOG}.description`
let description = existsSync(rewording) ? readFileSync(rewording, "utf8") : "Says it again"

if (FIXTURE_STUBBORN) {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => note(`ignored ${signal}`))
  setInterval(() => undefined, 1000)
}
if (FIXTURE_GRANDCHILD) {
  const script = "trap '' TERM HUP INT; while :; do sleep 1; done"
  // One in the same group, and one that leaves it.
  for (const detached of [false, true])
    spawn("sh", ["-c", script], { stdio: ["ignore", "inherit", "ignore"], detached })
}
note(`start ${process.pid}`)

const server = new Server(
  { name: "fixture", version: "1.0.0" },
  {
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true },
      logging: {},
    },
    instructions: "Use echo for everything.",
  },
)

server.setRequestHandler(ListToolsRequestSchema, async ({ params }) => {
  note(`list ${params?.cursor ?? ""}`)
  if (FIXTURE_SILENT === "list") await delay(60_000)
  const tools = [...names, ...more].map((name) => ({
    name,
    description: name === "echo" ? description : `Does ${name}`,
    inputSchema: name === "echo" ? { ...schema, properties: { text: { type: "string" } }, required: ["text"] } : schema,
    ...(name === "echo" ? { annotations: { readOnlyHint: true } } : {}),
    ...(name === "env" ? { annotations: { idempotentHint: true } } : {}),
  }))
  if (!FIXTURE_PAGES) return { tools }
  const page = Number(params?.cursor ?? 0)
  const size = Math.ceil(tools.length / 3)
  const next = FIXTURE_PAGES === "circle" ? (page + 1) % 3 : page + 1
  const isLast = FIXTURE_PAGES !== "circle" && page >= 2
  return { tools: tools.slice(page * size, (page + 1) * size), ...(isLast ? {} : { nextCursor: String(next) }) }
})

server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
  const args = (params.arguments ?? {}) as Record<string, string>
  note(`call ${params.name}`)
  const cancelled = () => note(`cancelled ${params.name}`)
  // It may have come together with the call.
  if (extra.signal.aborted) cancelled()
  extra.signal.addEventListener("abort", cancelled)
  switch (params.name) {
    case "echo":
      return text(`echo: ${args["text"]}`)
    case "slow": {
      const steps = Number(args["steps"] ?? 5)
      for (let step = 1; step <= steps; step++) {
        await delay(Number(args["pause"] ?? 50))
        const progressToken = params._meta?.progressToken
        if (progressToken === undefined) continue
        const progress = { progressToken, progress: step, total: steps, message: `step ${step}` }
        await extra.sendNotification({ method: "notifications/progress", params: progress })
      }
      return text("done")
    }
    case "fail":
      return { ...text("it broke"), isError: true }
    case "mixed":
      return {
        content: [
          { type: "text", text: "one" },
          { type: "text", text: "zwei 🐾" },
          { type: "image", data: IMAGE, mimeType: "image/png" },
          { type: "audio", data: "UklGRg==", mimeType: "audio/wav" },
          { type: "resource", resource: { uri: "fix://a", text: "embedded", mimeType: "text/plain" } },
          { type: "resource_link", uri: "fix://b", name: "b", description: "linked" },
        ],
      }
    case "structured":
      return { content: [], structuredContent: { answer: 42 } }
    case "big":
      return text("x".repeat(Number(args["size"] ?? 1000)))
    case "elicit": {
      const requestedSchema = {
        type: "object" as const,
        properties: {
          name: { type: "string" as const, title: "Name" },
          age: { type: "integer" as const, default: 7 },
          color: { type: "string" as const, enum: ["red", "green"], enumNames: ["Red", "Green"] },
          sure: { type: "boolean" as const },
        },
        required: ["name"],
      }
      const request = { method: "elicitation/create" as const, params: { message: "Who?", requestedSchema } }
      return text(JSON.stringify(await extra.sendRequest(request, ElicitResultSchema)))
    }
    case "sample": {
      const messages = [{ role: "user" as const, content: { type: "text" as const, text: "Say hi" } }]
      const request = { method: "sampling/createMessage" as const, params: { messages, maxTokens: 10 } }
      return text(JSON.stringify(await extra.sendRequest(request, CreateMessageResultSchema)))
    }
    case "env":
      return text(JSON.stringify(process.env))
    case "grow":
      if (args["kind"] === "prompt") {
        morePrompts = [...morePrompts, args["name"] ?? "grown"]
        await server.sendPromptListChanged()
        return text("grown")
      }
      more = [...more, args["name"] ?? "grown"]
      await server.sendToolListChanged()
      return text("grown")
    case "change":
      description = args["description"] ?? "Says something else"
      await server.sendToolListChanged()
      return text("changed")
    case "roots":
      return text(JSON.stringify(await extra.sendRequest({ method: "roots/list" as const }, ListRootsResultSchema)))
    case "crash":
      process.exit(3)
      break
    case "hang":
      await delay(600_000, undefined, { signal: extra.signal }).catch(() => undefined)
      return text("late")
    default:
      return text(`${params.name} was called`)
  }
})

server.setRequestHandler(ListPromptsRequestSchema, () => ({
  prompts: [
    {
      name: "greet",
      description: "Greets",
      arguments: [
        { name: "who", required: true },
        { name: "how", description: "The tone" },
      ],
    },
    ...morePrompts.map((name) => ({ name })),
  ],
}))
server.setRequestHandler(GetPromptRequestSchema, ({ params }) => ({
  messages: [
    {
      role: "user",
      content: { type: "text", text: `Greet ${params.arguments?.["who"]} ${params.arguments?.["how"] ?? ""}` },
    },
  ],
}))
server.setRequestHandler(ListResourcesRequestSchema, () => {
  note("resources")
  return { resources: [{ uri: "fix://a", name: "a", mimeType: "text/plain" }] }
})
server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
  resourceTemplates: [{ uriTemplate: "fix://{id}", name: "any" }],
}))
server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => {
  if (params.uri === "fix://image") return { contents: [{ uri: params.uri, blob: IMAGE, mimeType: "image/png" }] }
  return { contents: [{ uri: params.uri, text: `content of ${params.uri}`, mimeType: "text/plain" }] }
})

process.stderr.write("fixture is ready\n")
if (FIXTURE_SILENT === "connect") await delay(60_000)
console.log("this line is no message")
await server.connect(new StdioServerTransport())
