import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { ReadBuffer, serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js"
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import { call, chatRequest, modelServer, type ModelServer, reply, text } from "@pawl/model-server"
import { describe, expect, it, onTestFinished } from "vitest"
import { configure, drawerServer, said } from "../small-window.ts"
import { built, type Finished, workplace, type Workplace } from "../workplace.ts"
import { fixtureServer } from "./servers.ts"

interface Served {
  readonly client: Client
  /** Ends the server's input. */
  readonly leave: () => Promise<Finished>
  readonly tool: (name: string, args?: object, options?: Parameters<Client["callTool"]>[2]) => Promise<Answer>
}

interface Answer {
  readonly isError?: boolean
  readonly content: readonly { readonly text: string }[]
  readonly structuredContent: Readonly<Record<string, unknown>>
}

type Elicit = (message: string, schema: unknown) => Record<string, string>

/** A client of the protocol's own, and pawl as its server in another process. */
async function serve(place: Workplace, args: readonly string[], elicit?: Elicit): Promise<Served> {
  const { child, finished } = place.start(["mcp", "serve", ...args], { isOpen: true })
  const buffer = new ReadBuffer()
  const transport: Transport = {
    async start() {
      child.stdout?.on("data", (chunk: string) => {
        buffer.append(Buffer.from(chunk))
        for (let message = buffer.readMessage(); message !== null; message = buffer.readMessage()) {
          transport.onmessage?.(message)
        }
      })
    },
    async send(message) {
      child.stdin?.write(serializeMessage(message))
    },
    async close() {
      child.stdin?.end()
    },
  }
  const client = new Client(
    { name: "test", version: "1" },
    { capabilities: elicit ? { elicitation: { form: {} } } : {} },
  )
  if (elicit) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      const schema = "requestedSchema" in params ? params.requestedSchema : undefined
      return { action: "accept", content: elicit(params.message, schema) }
    })
  }
  await client.connect(transport)
  onTestFinished(() => void child.stdin?.end())
  return {
    client,
    async leave() {
      child.stdin?.end()
      return finished
    },
    tool: async (name, given = {}, options) =>
      (await client.callTool({ name, arguments: { ...given } }, undefined, options)) as unknown as Answer,
  }
}

function modelArgs(server: ModelServer): string[] {
  return ["-m", "custom/test", "--base-url", server.url]
}

const textsOf = ({ content }: Answer) => content.map((block) => block.text).join("\n")

describe("pawl mcp serve", () => {
  it("works on prompts in sessions, tells its progress, and says nothing but the protocol", async () => {
    const place = await workplace()
    await using server = await modelServer({
      replies: [
        reply(call("bash", { command: "echo done", description: "Says it" })),
        reply(text("First.")),
        reply(text("Second.")),
      ],
    })
    const { client, tool, leave } = await serve(place, modelArgs(server))
    const progress: string[] = []

    const { tools } = await client.listTools()
    const first = await tool(
      "session_prompt",
      { prompt: "one" },
      { onprogress: ({ message = "" }) => progress.push(message) },
    )
    const { sessionID } = first.structuredContent
    const second = await tool("session_prompt", { prompt: "two", sessionID })
    const listed = await tool("session_list")
    const messages = await tool("session_messages", { sessionID, limit: 3 })
    const ended = await leave()

    expect(tools.map(({ name }) => name)).toEqual([
      ...["session_list", "session_create", "session_prompt", "session_messages", "session_abort"],
      ...["question_list", "question_answer"],
    ])
    expect(first).toMatchObject({ structuredContent: { outcome: "answered", text: "First." } })
    expect(progress).toEqual(expect.arrayContaining([expect.stringContaining("bash: ")]))
    expect(textsOf(second)).toBe("Second.")
    expect(listed.structuredContent).toMatchObject({ sessions: [{ sessionID, title: "one" }] })
    expect(messages.structuredContent).toMatchObject({
      messages: [
        { role: "assistant", text: "First." },
        { role: "user", text: "two" },
        { role: "assistant", text: "Second." },
      ],
    })
    expect(ended.code).toBe(0)
    for (const line of ended.stdout.trimEnd().split("\n")) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" })
  })

  it("ends a run whose call is cancelled, and all of them when the client goes", async () => {
    const place = await workplace()
    await using server = await modelServer({
      replies: [
        reply(call("bash", { command: "sleep 600", description: "a" })),
        reply(call("bash", { command: "sleep 600", description: "b" })),
      ],
    })
    const { tool, leave } = await serve(place, modelArgs(server))
    const { sessionID } = (await tool("session_create", { title: "long" })).structuredContent
    const cancel = new AbortController()
    const isAtWork = async () => JSON.stringify(await tool("session_messages", { sessionID })).includes("running")

    const first = tool("session_prompt", { sessionID, prompt: "sleep" }, { signal: cancel.signal })
    while (!(await isAtWork())) await delay(20)
    cancel.abort("enough")
    await expect(first).rejects.toThrow("enough")
    while (await isAtWork()) await delay(20)
    void tool("session_prompt", { sessionID, prompt: "sleep again" }).catch(() => undefined)
    while (!(await isAtWork())) await delay(20)

    expect((await leave()).code).toBe(0)
  })

  it("asks the client's user where the client can", async () => {
    const place = await workplace()
    await writeFile(join(place.configuration, "pawl.jsonc"), '{ "permission": { "bash": "ask" } }')
    await using server = await modelServer({
      replies: [
        reply(call("bash", { command: "echo allowed > out.txt", description: "a" })),
        reply(
          call("question", {
            questions: [
              {
                header: "Which",
                question: "Which one?",
                options: [
                  { label: "A", description: "the first" },
                  { label: "B", description: "the second" },
                ],
              },
            ],
          }),
        ),
        reply(text("Done.")),
      ],
    })
    const asked: string[] = []
    const { tool, leave } = await serve(place, modelArgs(server), (message, schema) => {
      asked.push(message)
      return JSON.stringify(schema).includes("once") ? { answer: "once" } : { answer_1: "B" }
    })

    const answer = await tool("session_prompt", { prompt: "go" })
    await leave()

    expect(textsOf(answer)).toBe("Done.")
    expect(asked).toEqual([
      expect.stringContaining('For: bash {"command":"echo allowed > out.txt"'),
      "Which one?\n- A: the first\n- B: the second",
    ])
    expect(JSON.stringify(chatRequest(server.requests[2]).messages.at(-1))).toContain("B")
  })

  it("tells once what a plugin says at the end", async () => {
    const place = await workplace()
    const bye = `export default Object.assign(({ notice }) => ({ dispose: () => notice("Goodbye.") }), { [Symbol.for("pawl.plugin")]: 1 })`
    await mkdir(join(place.configuration, "plugin"))
    await writeFile(join(place.configuration, "plugin", "bye.js"), bye)
    await using server = await modelServer({ replies: [reply(text("Done."))] })
    const { tool, leave } = await serve(place, modelArgs(server))
    await tool("session_prompt", { prompt: "go" })
    expect((await leave()).stderr.split("Goodbye.")).toHaveLength(2)
  })

  it("refuses what has to be asked where the client cannot ask", async () => {
    const place = await workplace()
    await writeFile(join(place.configuration, "pawl.jsonc"), '{ "permission": { "bash": "ask" } }')
    await using server = await modelServer({ replies: [reply(call("bash", { command: "echo x", description: "a" }))] })
    const { tool, leave } = await serve(place, modelArgs(server))

    const answer = await tool("session_prompt", { prompt: "go" })
    await leave()

    expect(answer).toMatchObject({ isError: true, structuredContent: { outcome: "refused" } })
  })

  it("keeps questions for question_answer with --ask wait", async () => {
    const place = await workplace()
    await writeFile(join(place.configuration, "pawl.jsonc"), '{ "permission": { "bash": "ask" } }')
    await using server = await modelServer({
      replies: [reply(call("bash", { command: "echo x", description: "a" })), reply(text("Allowed."))],
    })
    const { tool, leave } = await serve(place, [...modelArgs(server), "--ask", "wait"])
    const { sessionID } = (await tool("session_create")).structuredContent
    const working = tool("session_prompt", { sessionID, prompt: "go" })
    const questions = async () => {
      const { structuredContent } = await tool("question_list", { sessionID })
      return structuredContent["questions"] as { questionID: string; sessionID: string }[]
    }
    while ((await questions()).length === 0) await delay(20)
    const [question] = await questions()

    const wrong = await tool("question_answer", { ...question, answers: [["A"]] })
    const answered = await tool("question_answer", { ...question, reply: "once" })
    const answer = await working
    await leave()

    expect(wrong).toMatchObject({ isError: true, structuredContent: { error: "TypeError" } })
    expect(answered.isError).not.toBe(true)
    expect(textsOf(answer)).toBe("Allowed.")
  })

  it("names the kind of what went wrong", async () => {
    const place = await workplace()
    const { tool, client, leave } = await serve(place, ["-m", "replay/hello"])

    const unknown = await tool("session_prompt", { prompt: "go", sessionID: "ses_ZYBQZ87YQ2K83A78PYNV6JS4T4" })
    const nonsense = await tool("session_messages", { sessionID: "nonsense" })
    const agent = await tool("session_prompt", { prompt: "go", agent: "nobody" })
    const invalid = await client.callTool({ name: "session_prompt", arguments: {} })
    await leave()

    expect(unknown.structuredContent).toMatchObject({ error: "NotFoundError" })
    expect(nonsense.structuredContent).toMatchObject({ error: "NotFoundError" })
    expect(agent.structuredContent).toMatchObject({
      error: "NotFoundError",
      message: expect.stringContaining("nobody"),
    })
    expect(invalid.isError).toBe(true)
  })

  it("lets all sessions share one process of each MCP server", async () => {
    const place = await workplace()
    const fixture = fixtureServer(dirname(place.project))
    await writeFile(join(place.configuration, "pawl.jsonc"), JSON.stringify({ mcp: { fix: fixture.server } }))
    await using server = await modelServer({
      replies: (_, index) => (index % 2 === 0 ? reply(call("fix_echo", { text: "x" })) : reply(text("Ok."))),
    })
    const { tool, leave } = await serve(place, modelArgs(server))

    await tool("session_prompt", { prompt: "one" })
    await tool("session_prompt", { prompt: "two" })
    const ended = await leave()

    expect(ended.code).toBe(0)
    expect((await fixture.notes()).filter((line) => line === "call echo")).toHaveLength(2)
    expect(await fixture.started()).toHaveLength(1)
    expect(await fixture.processes()).toEqual([])
  })

  it("works with servers that are configured while it serves", async () => {
    const place = await workplace()
    const fixture = fixtureServer(dirname(place.project))
    await using server = await modelServer({ replies: () => reply(text("Ok.")) })
    const { tool, leave } = await serve(place, modelArgs(server))
    const isOffered = () => JSON.stringify(server.requests.at(-1)?.body).includes('"fix_echo"')
    await tool("session_prompt", { prompt: "before" })
    expect(isOffered()).toBe(false)

    await writeFile(join(place.configuration, "pawl.jsonc"), JSON.stringify({ mcp: { fix: fixture.server } }))
    while (!isOffered()) {
      await delay(20)
      await tool("session_prompt", { prompt: "again" })
    }

    await leave()
    expect(await fixture.processes()).toEqual([])
  })

  it("serves pawl itself as a client", async () => {
    const place = await workplace()
    const command = [...built, "mcp", "serve", "-m", "replay/hello"]
    const environment = { PAWL_DATA_DIR: place.data, PAWL_CONFIG_DIR: `${place.configuration}-inner` }
    await writeFile(
      join(place.configuration, "pawl.jsonc"),
      JSON.stringify({ mcp: { inner: { type: "local", command, environment } } }),
    )

    const answer = await place.pawl(["mcp", "call", "inner", "session_prompt", "prompt=say hello"])
    const sessions = await place.pawl(["session", "list", "--format", "json"])

    expect(answer.code).toBe(0)
    expect(answer.stdout).not.toBe("")
    expect(sessions.stdout).toContain('"say hello"')
  })
})

it("compacts a session where the prompt is /compact, and says why it could not", async () => {
  await using server = await drawerServer({ drawers: 3 })
  const place = await workplace()
  await configure(place.configuration, server)
  const { tool, leave } = await serve(place, [])
  const { sessionID } = (await tool("session_prompt", { prompt: "Open some drawers." })).structuredContent

  const compacted = await tool("session_prompt", { prompt: "/compact the key", sessionID })
  const empty = await tool("session_prompt", { prompt: "/compact" })

  expect(compacted).toMatchObject({ isError: false, structuredContent: { outcome: "compacted", sessionID } })
  expect(said(server.requests.at(-1)).at(-1)).toContain("the key")
  expect(empty).toMatchObject({ isError: true, structuredContent: { error: "EmptySessionError" } })
  await leave()
})
