import { mkdir, symlink, writeFile } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { Readable } from "node:stream"
import { createOpencodeClient } from "@opencode-ai/sdk"
import type { AuthContribution } from "@pawl/core/plugin"
import type { Hono } from "hono"
import { describe, expect, it } from "vitest"
import { got, serving } from "../test/serving.ts"

describe("the catalog", () => {
  it("tells the configuration in OpenCode's shape, without what is pawl's alone", async () => {
    await using serve = await serving()
    expect(got(await serve.client.config.get())).toEqual({ model: "replay/scripted", agent: { build: { steps: 3 } } })
  })

  it("tells providers with their models, and which come first", async () => {
    await using serve = await serving()
    const { providers, default: first } = got(await serve.client.config.providers())
    expect(first).toEqual({ replay: "scripted" })
    expect(providers[0]).toMatchObject({
      ...{ id: "replay", name: "Replay", source: "config", env: [], options: {} },
      models: {
        scripted: { id: "scripted", providerID: "replay", capabilities: { toolcall: true, input: { text: true } } },
      },
    })
    const listed = got(await serve.client.provider.list())
    expect(listed).toMatchObject({ connected: ["replay"], default: first, all: [{ id: "replay" }] })
  })

  it("tells how to sign in, without what runs, and keeps what was signed in with", async () => {
    const kept: unknown[] = []
    const auth: AuthContribution = {
      provider: "acme",
      methods: [
        { type: "api", label: "Key", prompts: [{ type: "text", key: "k", message: "?", validate: () => undefined }] },
      ],
    }
    await using serve = await serving({
      plugins: [{ id: "signs-in", plugin: () => ({ auth }) }],
      host: {
        setAuth: async (...given) => void kept.push(given),
        removeAuth: async (id) => void kept.push(id),
      },
    })
    expect(got(await serve.client.provider.auth())).toEqual({
      acme: [{ type: "api", label: "Key", prompts: [{ type: "text", key: "k", message: "?" }] }],
    })
    const body = { type: "api" as const, key: "secret" }
    expect(got(await serve.client.auth.set({ path: { id: "acme" }, body }))).toBe(true)
    const removed = () => serve.app.request("/auth/acme", { method: "DELETE" })
    expect((await removed()).status).toBe(200)
    expect(kept).toEqual([["acme", body], "acme"])
    await using keepsNone = await serving()
    expect((await keepsNone.client.auth.set({ path: { id: "acme" }, body })).response.status).toBe(400)
    expect((await keepsNone.app.request("/auth/acme", { method: "DELETE" })).status).toBe(400)
  })

  it("tells agents and tools", async () => {
    const tool = {
      ...{ name: "peek", description: "Peeks.", inputSchema: { type: "object" }, effect: "pure" as const },
      parse: (input: unknown) => input,
      execute: async () => ({ title: "", output: "" }),
    }
    const formatter = {
      prettier: { command: ["prettier"], extensions: [".ts"] },
      gofmt: { command: ["gofmt"], disabled: true },
    }
    await using serve = await serving({ host: { tools: () => [tool], config: () => ({ formatter }) } })
    const agents = got(await serve.client.app.agents())
    expect(agents.find(({ name }) => name === "build")).toMatchObject({ mode: "primary", native: true, permission: [] })
    expect(got(await serve.client.tool.ids())).toEqual(["peek"])
    const query = { provider: "replay", model: "scripted" }
    expect(got(await serve.client.tool.list({ query }))).toEqual([
      { id: "peek", description: "Peeks.", parameters: { type: "object" } },
    ])
    expect(got(await serve.client.mcp.status())).toEqual({})
    expect(got(await serve.client.formatter.status())).toEqual([
      { name: "prettier", extensions: [".ts"], enabled: true },
      { name: "gofmt", extensions: [], enabled: false },
    ])
  })

  it("answers with no empty list for what there is not", async () => {
    await using serve = await serving()
    const { client } = serve
    const { id } = got(await client.session.create())
    const answers = [await client.lsp.status(), await client.find.symbols({ query: { query: "x" } })]
    // The engine of this host has no file history.
    const { response: refused, error: reason } = await client.session.diff({ path: { id } })
    expect([refused.status, reason]).toMatchObject([
      404,
      { data: { message: expect.stringContaining("file history") } },
    ])
    for (const { response, error } of answers)
      expect([response.status, error]).toMatchObject([404, { data: { message: expect.stringContaining("not offer") } }])
  })

  it("tells where the work is done", async () => {
    await using serve = await serving()
    const { client, directory } = serve
    const project = {
      id: "project-1",
      worktree: directory,
      vcs: "git",
      time: { created: 1, updated: 1 },
      sandboxes: [],
    }
    expect(got(await client.project.current())).toEqual(project)
    expect(got(await client.project.list())).toEqual([project])
    expect(got(await client.path.get())).toMatchObject({ directory, worktree: directory })
    expect(got(await client.vcs.get())).toEqual({ branch: "trunk" })
    expect(await (await serve.app.request("/global/health")).json()).toEqual({ healthy: true, version: "9.9.9" })
  })
})

describe("files", () => {
  it("are listed, read, found and compared with the last commit", async () => {
    await using serve = await serving()
    const { client, directory } = serve
    await mkdir(join(directory, "deep", "er"), { recursive: true })
    await writeFile(join(directory, "deep", "er", "needle.txt"), "a needle\n")
    await writeFile(join(directory, "ignored.txt"), "needle\n")
    await writeFile(join(directory, "read.me"), "one\nthree\nfour\n")
    const nodes = got(await client.file.list({ query: { path: "." } }))
    expect(nodes.map(({ name, type, ignored }) => [name, type, ignored])).toEqual([
      ["deep", "directory", false],
      [".gitignore", "file", false],
      ["ignored.txt", "file", true],
      ["read.me", "file", false],
    ])
    expect(got(await client.file.read({ query: { path: "read.me" } }))).toEqual({
      type: "text",
      content: "one\nthree\nfour\n",
    })
    await writeFile(join(directory, "dot.png"), Buffer.from([137, 0]))
    expect(got(await client.file.read({ query: { path: join(directory, "dot.png") } }))).toEqual({
      ...{ type: "binary", content: "iQA=", encoding: "base64", mimeType: "image/png" },
    })
    expect(got(await client.file.status()).toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: "deep/er/needle.txt", added: 1, removed: 0, status: "added" },
      { path: "dot.png", added: expect.any(Number), removed: 0, status: "added" },
      { path: "read.me", added: 2, removed: 1, status: "modified" },
    ])
    expect(got(await client.find.text({ query: { pattern: "need.e" } }))).toMatchObject([
      {
        path: { text: "deep/er/needle.txt" },
        line_number: 1,
        submatches: [{ match: { text: "needle" }, start: 2, end: 8 }],
      },
    ])
    expect(got(await client.find.files({ query: { query: "dndl" } }))).toEqual(["deep/er/needle.txt"])
    expect(got(await client.find.files({ query: { query: "er", dirs: "true" } }))).toContain("deep/er/")
  })

  it("outside of the project, and missing ones, are refused", async () => {
    await using serve = await serving()
    const { client, directory } = serve
    await symlink("/etc/passwd", join(directory, "way-out"))
    for (const path of ["../..", "/etc/passwd", "way-out", "../does-not-exist"]) {
      const answer = await client.file.read({ query: { path } })
      expect([path, answer.response.status]).toEqual([path, 400])
    }
    expect((await client.file.read({ query: { path: "missing" } })).response.status).toBe(404)
    expect((await serve.app.request("/file/content")).status).toBe(400)
  })
})

describe("what is said to people", () => {
  it("reaches the host, and is an event", async () => {
    await using serve = await serving()
    const { client, logged, toasts, said } = serve
    const entry = { service: "plugin", level: "warn" as const, message: "careful", extra: { a: 1 } }
    expect(got(await client.app.log({ body: entry }))).toBe(true)
    expect(logged).toEqual([entry])
    const toast = { title: "T", message: "done", variant: "success" as const }
    expect(got(await client.tui.showToast({ body: toast }))).toBe(true)
    expect(toasts).toEqual([toast])
    await client.tui.appendPrompt({ body: { text: "more" } })
    await client.tui.executeCommand({ body: { command: "session_new" } })
    await client.tui.publish({ body: { type: "tui.prompt.append", properties: { text: "again" } } })
    const { tui } = client
    for (const answer of [
      await tui.openHelp(),
      await tui.openSessions(),
      await tui.openThemes(),
      await tui.openModels(),
    ]) {
      expect(got(answer)).toBe(true)
    }
    expect([got(await client.tui.submitPrompt()), got(await client.tui.clearPrompt())]).toEqual([true, true])
    expect(said.map(({ type, properties }) => [type, properties])).toEqual([
      ["tui.toast.show", toast],
      ["tui.prompt.append", { text: "more" }],
      ["tui.command.execute", { command: "session_new" }],
      ["tui.prompt.append", { text: "again" }],
      ["tui.command.execute", { command: "help.show" }],
      ["tui.command.execute", { command: "session.list" }],
      ["tui.command.execute", { command: "theme.list" }],
      ["tui.command.execute", { command: "model.list" }],
      ["tui.command.execute", { command: "prompt.submit" }],
      ["tui.command.execute", { command: "prompt.clear" }],
    ])
    const wrong = await client.app.log({ body: { ...entry, level: "loud" as never } })
    expect(wrong.response.status).toBe(400)
  })
})

describe("a request", () => {
  it("for what is not offered is a 404 that names it", async () => {
    await using serve = await serving()
    const answer = await serve.client.session.share({ path: { id: "ses_0" } })
    expect([answer.response.status, answer.error]).toMatchObject([
      404,
      { name: "NotFoundError", data: { message: expect.stringContaining("POST /session/ses_0/share") } },
    ])
    expect((await serve.client.pty.list()).response.status).toBe(404)
  })

  it("for another directory is refused", async () => {
    await using serve = await serving()
    const answer = await serve.client.session.list({ query: { directory: "/somewhere/else" } })
    expect([answer.response.status, answer.error]).toMatchObject([
      400,
      { data: { message: expect.stringContaining("/somewhere/else") } },
    ])
    const headers = { "x-opencode-directory": encodeURIComponent("/somewhere/else") }
    expect((await serve.app.request("/session", { method: "POST", headers })).status).toBe(400)
  })
})

describe("events", () => {
  it("come as they happen, behind the first that says so", async () => {
    await using serve = await serving()
    const server = await listening(serve.app)
    const { port } = server.address() as AddressInfo
    const client = createOpencodeClient({ baseUrl: `http://127.0.0.1:${port}`, directory: serve.directory })
    const stop = new AbortController()
    const { stream } = await client.event.subscribe({ signal: stop.signal })
    const types: string[] = []
    let prompting: Promise<unknown> | undefined
    for await (const event of stream) {
      types.push(event.type)
      if (event.type === "server.connected") {
        const { id } = got(await client.session.create())
        prompting = client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text: "Hi" }] } })
      }
      if (event.type === "session.idle") break
    }
    await prompting
    stop.abort()
    server.closeAllConnections()
    server.close()
    expect(types.slice(0, 2)).toEqual(["server.connected", "session.created"])
    expect(types).toEqual(expect.arrayContaining(["message.updated", "message.part.delta", "session.status"]))
  })

  it("of all projects come in an envelope", async () => {
    await using serve = await serving()
    const answer = await serve.app.request("/global/event")
    expect(answer.headers.get("content-type")).toBe("text/event-stream")
    const reader = (answer.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader.read()).value).toMatch(
      /^id: [\da-f]{12}\.0\nevent: message\ndata: \{"payload":\{"id":"evt_\w+","type":"server.connected"/,
    )
    await serve.client.session.create()
    expect((await reader.read()).value).toContain(`data: {"directory":"${serve.directory}","payload":{`)
    await reader.cancel()
  })
})

/** The app behind a real socket: OpenCode's client asks for events past its own `fetch`. */
async function listening(app: Hono): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)])
      const body = incoming.method === "GET" ? undefined : Buffer.concat(await incoming.toArray())
      const url = `http://127.0.0.1${incoming.url}`
      const answer = await app.fetch(
        new Request(url, { method: incoming.method ?? "GET", headers, ...(body && { body }) }),
      )
      outgoing.writeHead(answer.status, Object.fromEntries(answer.headers))
      if (!answer.body) return void outgoing.end()
      const stream = Readable.fromWeb(answer.body as never)
      outgoing.on("close", () => stream.destroy())
      stream.on("error", () => undefined)
      stream.pipe(outgoing)
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return server
}
