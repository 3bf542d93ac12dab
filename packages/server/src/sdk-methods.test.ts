import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createOpencodeClient } from "@opencode-ai/sdk"
import { createOpencodeClient as createV2Client } from "@opencode-ai/sdk/v2"
import type { ToolContext } from "@pawl/core/tool"
import { call, finish, text } from "@pawl/provider-replay"
import { createGuardian } from "@pawl/process-guard"
import { createFileHistory } from "@pawl/undo"
import type { ValidateFunction } from "ajv"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { answerSchemas, type SDK } from "../test/sdk/answer-schemas.ts"
import { ANSWERING, classicInput, flatInput, type Ids } from "../test/sdk/inputs.ts"
import { sdkMethods, type SDKMethod } from "../test/sdk/methods.ts"
import { allowed, TOKEN, withToken } from "../test/terminals.ts"
import { serving } from "../test/serving.ts"
import { createServer, listen, type ServerControl, type ServerHost } from "./index.ts"
import { appOperations, serverOperations } from "./operations.ts"

const clients = {
  classic: { create: createOpencodeClient, input: classicInput },
  v2: { create: createV2Client, input: flatInput },
} as const

interface Answer {
  readonly data?: unknown
  readonly error?: unknown
  readonly response?: Response
  readonly stream?: AsyncGenerator
}

interface Scene extends AsyncDisposable {
  readonly baseUrl: string
  readonly fetch: (path: string) => Promise<Response>
  readonly ids: Ids
}

const FIRST_EVENT = {
  reason: "OpenCode's server sends the first event without a directory, too.",
  problem: /^ must have required property 'directory'$/,
}

const SOCKET = {
  reason: "The SDK sends a request without an upgrade, and a terminal is a WebSocket.",
  problem: /^The SDK knows no answer with status 400: .*send the request with Upgrade: websocket/,
}

/** Answers that cannot fit both SDKs, or that an SDK cannot ask for, with what its types say about them. */
const EXCEPTIONS: Readonly<Record<string, { readonly reason: string; readonly problem: RegExp }>> = {
  "classic app.agents": {
    reason: "The second SDK, like OpenCode's server, has a list of rules where this one has a table.",
    problem: /^(\/\d+\/permission must be object ?)+$/,
  },
  "classic global.event": FIRST_EVENT,
  "v2 global.event": FIRST_EVENT,
  "classic pty.connect": SOCKET,
  "v2 pty.connect": SOCKET,
  "v2 v2.pty.connect": SOCKET,
  "v2 v2.fs.read": {
    reason: "The SDK has no parameter for the path, and asks for a file with the name *.",
    problem: /^There is no file \*\.$/,
  },
}

const risky = {
  name: "risky",
  description: "",
  inputSchema: { type: "object" },
  effect: "unsafe" as const,
  parse: (input: unknown) => input,
  execute: async () => ({ title: "", output: "went well" }),
}
const asking = {
  name: "asking",
  description: "",
  inputSchema: { type: "object" },
  effect: "pure" as const,
  parse: (input: unknown) => input,
  async execute(_input: unknown, context: ToolContext) {
    const answers = await context.ask([
      { question: "Which?", header: "Colour", options: [{ label: "red", description: "" }] },
    ])
    return { title: "", output: JSON.stringify(answers) }
  },
}
const permission = [{ name: "test", rules: [{ permission: "risky", pattern: "*", action: "ask" as const }] }]

/** An answer that can also be a summary. */
const summary = ["Objective", "Important details", "Work state", "Next move", "Relevant files"]
  .map((title) => `## ${title}\nSo it is.`)
  .join("\n\n")
const done = [text(summary), finish("stop")]

const offers: Partial<ServerHost> = {
  tools: () => [risky],
  skills: () => [{ name: "tidy", description: "Tidies up.", location: "/tidy/SKILL.md", content: "Tidy up." }],
  commands: () => [{ name: "init", expand: async () => [{ type: "text", text: "Write it." }] }],
  mcp: () => ({ files: { status: "connected" } }),
  setAuth: async () => undefined,
  removeAuth: async () => undefined,
  userConfig: { read: async () => ({ model: "replay/scripted" }), merge: async () => undefined },
  worktrees: {
    list: async () => ["/worktrees/beside"],
    create: async (name = "beside") => ({ name, branch: `pawl/${name}`, path: `/worktrees/${name}` }),
    remove: async () => undefined,
    reset: async () => undefined,
  },
}

/** A plugin that signs in to the provider of the scene. */
const signer = {
  auth: {
    provider: "replay",
    methods: [
      {
        ...{ type: "oauth" as const, label: "Browser" },
        prompts: [
          { type: "text" as const, key: "team", message: "Team", placeholder: "red" },
          {
            ...{ type: "select" as const, key: "plan", message: "Plan", options: [{ label: "Free", value: "free" }] },
            when: { key: "team", op: "neq" as const, value: "red" },
          },
        ],
        authorize: async () => ({
          ...{ url: "https://a.example/", instructions: "Bring the code.", method: "code" as const },
          callback: async (code = "") => ({ type: "success" as const, refresh: code, access: "a", expires: 1 }),
        }),
      },
    ],
  },
}

/** Servers that do as they are told. */
function servers(): ServerControl {
  const done = Promise.resolve()
  return {
    add: async () => undefined,
    connect: async () => undefined,
    disconnect: async () => undefined,
    beginAuth: async () => ({ address: "https://a.example/?state=s", state: "s", done, enter: async () => undefined }),
    removeAuth: async () => undefined,
  }
}

const PTY = /\bpty\./
const operations = Object.entries({ ...appOperations, ...serverOperations })

/** Returns true for a method that only reads, or that is not offered. */
function changesNothing(name: string): boolean {
  const [route, operation] = operations.find(([, { id }]) => id === name) ?? []
  if (ANSWERING[name] !== undefined || PTY.test(name)) return false
  return operation?.missing !== undefined || route?.startsWith("GET ") === true
}

let shared: Promise<Scene>
beforeAll(() => void (shared = scene({})))
afterAll(async () => (await shared)[Symbol.asyncDispose]())

interface SceneOptions {
  /** The newest turn waits for an answer. */
  readonly asks?: "permission" | "question" | undefined
  /** A terminal is open. */
  readonly hasTerminal?: boolean
  /** A sign-in waits for its code. */
  readonly isSigningIn?: boolean
}

/** A listening server with a session that has a turn. */
async function scene({ asks, hasTerminal = false, isSigningIn = false }: SceneOptions): Promise<Scene> {
  const tool = asks === "question" ? "asking" : "risky"
  const asked = asks ? [[call(tool, {}), finish("tool-calls")]] : []
  const spool = await mkdtemp(join(tmpdir(), "pawl-sdk-"))
  const guardian = createGuardian()
  const terminals = { guardian, environment: () => ({ PATH: process.env["PATH"] ?? "" }), shell: "/bin/sh" }
  const serve = await serving({
    replies: [done, ...asked, ...Array.from({ length: 9 }, () => done)],
    tools: [risky, asking],
    plugins: [{ id: "signer", plugin: () => signer }],
    permission,
    askPolicy: "wait",
    fileHistory: createFileHistory({ directory: spool, environment: process.env }),
    host: { ...offers, servers: servers(), terminals, permission: () => allowed },
  })
  const { engine, directory, host } = serve
  const server = createServer({
    directory,
    version: "9.9.9",
    open: async () => ({ host, close: async () => undefined }),
  })
  const controller = new AbortController()
  const { promise, resolve } = Promise.withResolvers<string>()
  const listening = listen(server, {
    target: { port: 0 },
    token: TOKEN,
    signal: controller.signal,
    onListening: resolve,
  })
  const baseUrl = await promise
  const send = (path: string, init?: RequestInit) => {
    return fetch(`${baseUrl}${path}`, { ...init, headers: { authorization: `Bearer ${TOKEN}` } })
  }
  // Opens the directory, so that its questions are known.
  await send("/path")
  const { id: sessionID } = await engine.createSession({ directory })
  await engine.prompt({ sessionID, parts: [{ type: "text", text: "Begin. ".repeat(2000) }] })
  const messages = []
  for await (const message of engine.readMessages(sessionID)) messages.push(message)
  const user = messages.find(({ info }) => info.role === "user")
  const pending = { method: "POST", body: JSON.stringify({ method: 0 }) }
  if (isSigningIn) await (await send("/provider/replay/oauth/authorize", pending)).json()
  let requestID = "prt_unknown"
  if (asks) {
    void engine.prompt({ sessionID, parts: [{ type: "text", text: "Go" }] }).catch(() => undefined)
    const open = async () => (await (await send(`/${asks}`)).json()) as { id: string }[]
    await expect.poll(async () => (await open()).length).toBe(1)
    requestID = (await open())[0]?.id ?? ""
  }
  const opened = async () => {
    const init = { method: "POST", body: JSON.stringify({ command: "cat" }), headers: withToken }
    return (await (await fetch(`${baseUrl}/pty`, init)).json()) as { id: string }
  }
  return {
    baseUrl,
    fetch: send,
    ids: {
      sessionID,
      requestID,
      messageID: user?.info.id ?? "",
      partID: user?.parts[0]?.id ?? "",
      projectID: "project-1",
      ptyID: hasTerminal ? (await opened()).id : "pty_unknown",
    },
    async [Symbol.asyncDispose]() {
      controller.abort()
      await listening
      await guardian.close()
      await serve[Symbol.asyncDispose]()
      await rm(spool, { recursive: true, force: true })
    },
  }
}

async function answerOf(method: SDKMethod, input: object): Promise<{ status: number; value: unknown }> {
  let failure: unknown
  const options = { sseMaxRetryAttempts: 1, onSseError: (error: unknown) => void (failure = error) }
  const answer = (await method.call({ ...input, ...options }, options)) as Answer
  if (!answer.stream) return { status: answer.response?.status ?? 0, value: answer.data ?? answer.error }
  const { value } = await answer.stream.next()
  // Its end waits for the next event.
  void answer.stream.return(undefined)
  return value === undefined && failure ? { status: 404, value: failure } : { status: 200, value }
}

describe.each(["classic", "v2"] as const)("the %s SDK", (sdk: SDK) => {
  const { create, input } = clients[sdk]
  const schemas = answerSchemas(sdk)
  const methodsAt = (baseUrl: string) => {
    return sdkMethods(create({ baseUrl, headers: { authorization: `Bearer ${TOKEN}` } }))
  }
  const methods = methodsAt("http://localhost").map(({ name }) => name)
  const counts = { fits: 0, missing: 0, exceptions: 0 }

  afterAll(() => {
    const { fits, missing, exceptions } = counts
    console.info(`${sdk}: ${fits} answers fit, ${missing} are a 404 that names the feature, ${exceptions} exceptions.`)
  })

  it("has all methods that this table is about", () => expect(methods.length).toBe(sdk === "classic" ? 83 : 188))

  it.each(methods)("%s", async (name) => {
    await using own = changesNothing(name)
      ? undefined
      : await scene({
          asks: ANSWERING[name],
          hasTerminal: PTY.test(name),
          isSigningIn: name === "provider.oauth.callback",
        })
    const server = own ?? (await shared)
    const method = methodsAt(server.baseUrl).find((each) => each.name === name)
    if (!method) throw new Error(`There is no method ${name}.`)
    const { status, value } = await answerOf(method, input(name, server.ids))
    const exception = EXCEPTIONS[`${sdk} ${name}`]
    if (status === 404 && !exception) {
      expect(JSON.stringify(await named(server, value, name))).toMatch(/has no .+ is not offered\./)
      counts.missing++
      return
    }
    const problems = problemsOf(schemas.check(method.className, method.method, status), status, value)
    if (exception) {
      expect(problems.join(" ")).toMatch(exception.problem)
      counts.exceptions++
      return
    }
    expect([status, problems]).toEqual([expect.toBeOneOf([200, 204]), []])
    counts.fits++
  })
})

/** An SDK hides the body of a stream that it cannot open. */
async function named(server: Scene, value: unknown, name: string): Promise<unknown> {
  if (!(value instanceof Error)) return value
  const paths: Record<string, string> = { "v2.event.subscribe": "/api/event" }
  return (await server.fetch(paths[name] ?? `/api/session/${server.ids.sessionID}/event`)).json()
}

function problemsOf(check: ValidateFunction | undefined, status: number, value: unknown): string[] {
  if (status === 404) return [(value as { data: { message: string } }).data.message]
  if (!check) return [`The SDK knows no answer with status ${status}: ${JSON.stringify(value)}`]
  // A missing body counts as null.
  check(status === 204 ? null : value)
  return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
