import { mkdir, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { createServerApp } from "@pawl/server"
import { expect, it, onTestFinished } from "vitest"
import { openServedDirectory } from "../src/served-directory.ts"
import { runtimeHost } from "./runtime-host.ts"
import { temporaryDirectory } from "./temporary-directory.ts"

/** An MCP server with one tool. */
const SERVER = `
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "t", version: "1" } }),
  "tools/list": () => ({ tools: [{ name: "echo", description: "Says it again", inputSchema: { type: "object" } }] }),
}
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const answer = answers[method]
  const rest = answer ? { result: answer(params) } : { error: { code: -32601, message: "unknown" } }
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...rest }) + "\\n")
})`

async function served() {
  const root = await temporaryDirectory()
  const directory = join(root, "project")
  const settings = join(root, "config")
  await mkdir(directory)
  await mkdir(join(settings, "skill", "tidy"), { recursive: true })
  const skill = "---\nname: tidy\ndescription: Tidies up.\n---\nTidy up.\n"
  await writeFile(join(settings, "skill", "tidy", "SKILL.md"), skill)
  const script = join(root, "server.cjs")
  await writeFile(script, SERVER)
  const host = runtimeHost({
    directory,
    home: root,
    environment: { PAWL_DATA_DIR: join(root, "data"), PAWL_CONFIG_DIR: settings, PATH: process.env["PATH"] },
  })
  const answers = join(root, "answers.jsonl")
  await writeFile(answers, `${JSON.stringify({ text: "Hi." })}\n`)
  const model = { script: answers, pace: 0 }
  const opened = await openServedDirectory({ directory, host, storage: "memory:", model })
  onTestFinished(() => opened.close())
  const app = createServerApp(opened.host)
  const send = async (method: string, path: string, body?: object) => {
    const answer = await app.request(path, { method, ...(body ? { body: JSON.stringify(body) } : {}) })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const command = [process.execPath, script]
  return { directory, command, send }
}

it("lists the tools and skills that a session would have", async () => {
  const { send } = await served()
  expect((await send("GET", "/experimental/tool/ids")).body).toEqual(expect.arrayContaining(["bash", "read", "skill"]))
  const tools = (await send("GET", "/experimental/tool")).body as unknown as { id: string }[]
  expect(tools.find(({ id }) => id === "read")).toMatchObject({ parameters: { type: "object" } })
  expect((await send("GET", "/skill")).body).toMatchObject([{ name: "tidy", content: expect.stringContaining("Tidy") }])
})

it("adds, connects and disconnects an MCP server on request, and lists its tools", async () => {
  const { command, send } = await served()
  expect((await send("GET", "/mcp")).body).toEqual({})
  const config = { type: "local", command }
  const added = await send("POST", "/mcp", { name: "own", config })
  expect(added).toMatchObject({ status: 200, body: { own: expect.any(Object) } })
  expect(await send("POST", "/mcp/own/connect")).toEqual({ status: 200, body: true })
  expect((await send("GET", "/mcp")).body).toEqual({ own: { status: "connected" } })
  expect((await send("GET", "/experimental/tool/ids")).body).toContain("own_echo")
  expect(await send("POST", "/mcp/own/disconnect")).toEqual({ status: 200, body: true })
  // It is started again when it is needed.
  expect((await send("GET", "/experimental/tool/ids")).body).toContain("own_echo")
})

it("says what is wrong with an MCP server", async () => {
  const { send } = await served()
  expect((await send("POST", "/mcp/unknown/connect")).status).toBe(404)
  const broken = { type: "local", command: [process.execPath, "--eval", "process.exit(3)"] }
  await send("POST", "/mcp", { name: "broken", config: broken })
  expect(await send("POST", "/mcp/broken/connect")).toMatchObject({ status: 400, body: { name: "BadRequest" } })
  expect((await send("GET", "/mcp")).body).toMatchObject({ broken: { status: "failed" } })
  const local = await send("POST", "/mcp/broken/auth")
  expect(local.body).toMatchObject({ data: { message: expect.stringContaining("needs no sign-in") } })
})

it("signs in to an MCP server with the code that a client has got", async () => {
  const { send } = await served()
  const { url, codes } = await protectedServer()
  await send("POST", "/mcp", { name: "far", config: { type: "remote", url } })
  const begun = await send("POST", "/mcp/far/auth")
  expect(begun.status).toBe(200)
  const { authorizationUrl, oauthState } = begun.body as { authorizationUrl: string; oauthState: string }
  expect(new URL(authorizationUrl).searchParams.get("state")).toBe(oauthState)
  await send("POST", "/mcp/far/auth/callback", { code: "code-of-the-page" })
  expect(codes).toEqual(["code-of-the-page"])
  expect((await send("DELETE", "/mcp/far/auth")).body).toEqual({ success: true })
})

/** An MCP server that wants a sign-in, and its authorization server. */
async function protectedServer() {
  const codes: (string | null)[] = []
  const server = createServer((request, response) => {
    const base = `http://${request.headers.host ?? ""}`
    const say = (status: number, body: object, headers = {}) =>
      void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))
    const path = request.url ?? ""
    if (path.startsWith("/.well-known/oauth-protected-resource")) {
      return say(200, { resource: `${base}/mcp`, authorization_servers: [base] })
    }
    if (path.startsWith("/.well-known/")) {
      return say(200, {
        issuer: base,
        authorization_endpoint: `${base}/authorize`,
        token_endpoint: `${base}/token`,
        registration_endpoint: `${base}/register`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
      })
    }
    let body = ""
    request.on("data", (chunk: Buffer) => void (body += chunk.toString()))
    request.on("end", () => {
      if (path === "/register") return say(201, { client_id: "c", ...(JSON.parse(body) as object) })
      if (path === "/token") {
        codes.push(new URLSearchParams(body).get("code"))
        return say(200, { access_token: "a", token_type: "Bearer", expires_in: 3600 })
      }
      return say(
        401,
        {},
        { "www-authenticate": `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource"` },
      )
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, codes }
}

it("names the chosen model as the default, and lists it", async () => {
  const { send } = await served()
  const { model } = (await send("GET", "/config")).body as { model: string }
  expect(model).toMatch(/^replay\//)
  const { providers } = (await send("GET", "/config/providers")).body as {
    providers: { id: string; models: object }[]
  }
  expect(Object.keys(providers.find(({ id }) => id === "replay")?.models ?? {})).toContain(
    model.slice("replay/".length),
  )
})
