import { readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { expect, it, onTestFinished } from "vitest"
import { workplace, type Workplace } from "../workplace.ts"

async function serve(place: Workplace, ...args: readonly string[]) {
  const { child, finished, said } = place.start(["mcp", "serve", "--http", "-m", "replay/hello", ...args])
  onTestFinished(() => void child.kill("SIGKILL"))
  let shown = ""
  child.stderr?.on("data", (chunk: string) => (shown += chunk))
  await said("oken")
  const url = /http:\S+/.exec(shown)?.[0] ?? ""
  return { child, finished, url, shown: () => shown }
}

async function connect(url: string, token: string): Promise<Client> {
  const client = new Client({ name: "test", version: "1" })
  onTestFinished(() => client.close())
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
  return client
}

it("serves over HTTP until Ctrl-C, to whoever has the token, which is shown once", async () => {
  const place = await workplace()
  const first = await serve(place)
  const path = join(place.data, "mcp-serve-token")
  const token = (await readFile(path, "utf8")).trim()
  expect(first.shown()).toContain(`Token: ${token}\n`)
  if (process.platform !== "win32") expect((await stat(path)).mode & 0o777).toBe(0o600)

  const clients = await Promise.all([1, 2].map(() => connect(first.url, token)))
  const answers = await Promise.all(
    clients.map((client) => client.callTool({ name: "session_prompt", arguments: { prompt: "say hello" } })),
  )
  expect(answers).toMatchObject([
    { structuredContent: { outcome: "answered" } },
    { structuredContent: { outcome: "answered" } },
  ])
  await expect(connect(first.url, `${token}x`)).rejects.toThrow("Send the token")
  first.child.kill("SIGINT")
  expect(await first.finished).toMatchObject({ code: 0, stdout: "" })

  const { port } = new URL(first.url)
  const second = await serve(place, "--port", port)
  expect(second.url).toBe(first.url)
  expect(second.shown()).not.toContain(token)
  await connect(second.url, token)
  second.child.kill("SIGINT")
  expect((await second.finished).code).toBe(0)

  const third = await serve(place, "--port", "0")
  expect(third.shown()).toMatch(/^Serving sessions at http:\/\/127\.0\.0\.1:[1-9]\d*\/mcp /m)
  await connect(third.url, token)
  third.child.kill("SIGINT")
  expect((await third.finished).code).toBe(0)
})

it.each([
  [["--port", "4319"], "--port requires --http."],
  ...["65536", "x", "-1", "1.5", "0x10"].map((port): [readonly string[], string] => [
    ["--http", `--port=${port}`],
    `invalid value "${port}" for --port: expected a whole number from 0 to 65535`,
  ]),
])("says what is wrong with %j", async (args, words) => {
  const place = await workplace()
  const { code, stderr } = await place.pawl(["mcp", "serve", ...args])
  expect(code).toBe(2)
  expect(stderr).toContain(words)
})
