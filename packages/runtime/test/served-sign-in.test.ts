import { once } from "node:events"
import { mkdir, readFile, stat, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import type { TrustFlag } from "@pawl/trust/trust-of"
import { createServerApp } from "@pawl/server"
import { expect, it, onTestFinished } from "vitest"
import { openServedDirectory } from "../src/served-directory.ts"
import { runtimeHost } from "./runtime-host.ts"
import { temporaryDirectory } from "./temporary-directory.ts"

/** An OpenCode plugin that exchanges the user's code at an authorization server. */
const plugin = (url: string) => `
export const Acme = async () => {
  await fetch("${url}/loaded")
  return {
    auth: {
      provider: "acme",
      methods: [
        {
          type: "oauth",
          label: "Acme account",
          prompts: [{ type: "text", key: "team", message: "Team" }],
          authorize: async ({ team }) => ({
            url: "${url}/authorize?team=" + team,
            instructions: "Bring the code.",
            method: "code",
            async callback(code) {
              const answer = await fetch("${url}/token?code=" + code)
              if (!answer.ok) return { type: "failed" }
              return { type: "success", ...(await answer.json()), expires: 5 }
            },
          }),
        },
      ],
    },
  }
}
`

async function served(trust?: TrustFlag) {
  const asked: string[] = []
  const authorization = createServer((request, response) => {
    asked.push(request.url ?? "")
    const isRight = request.url === "/token?code=the-right-code"
    response.writeHead(isRight ? 200 : 400, { "content-type": "application/json" })
    response.end(JSON.stringify(isRight ? { access: "the-access-token", refresh: "the-refresh-token" } : {}))
  }).listen(0, "127.0.0.1")
  await once(authorization, "listening")
  onTestFinished(() => void authorization.close())
  const url = `http://127.0.0.1:${(authorization.address() as AddressInfo).port}`
  const root = await temporaryDirectory()
  const directory = join(root, "project")
  const data = join(root, "data")
  await mkdir(join(directory, ".opencode", "plugin"), { recursive: true })
  await mkdir(data)
  await writeFile(join(directory, ".opencode", "plugin", "acme.js"), plugin(url))
  await writeFile(join(data, "auth.json"), JSON.stringify({ other: { type: "later", of: 1 } }))
  const written: string[] = []
  const environment = { PAWL_DATA_DIR: data, PAWL_DEBUG: "1", PATH: process.env["PATH"] }
  const stderr = { write: (text: string) => written.push(text) }
  const host = runtimeHost({ directory, home: root, environment, stderr })
  const answers = join(root, "answers.jsonl")
  await writeFile(answers, `${JSON.stringify({ text: "Hi." })}\n`)
  const model = { script: answers, pace: 0 }
  const interaction = { notice: (text: string) => void written.push(text) }
  const opened = await openServedDirectory({ directory, host, storage: "memory:", model, trust, interaction })
  onTestFinished(() => opened.close())
  const app = createServerApp(opened.host)
  const send = async (method: string, path: string, body?: object) => {
    const answer = await app.request(path, { method, ...(body ? { body: JSON.stringify(body) } : {}) })
    return { status: answer.status, body: await answer.json() }
  }
  return { send, asked, url, host, written, path: join(data, "auth.json") }
}

it("signs in with an OpenCode plugin, and saves where `pawl auth login` does", async () => {
  const { send, url, host, written, path } = await served(true)
  expect((await send("GET", "/provider/auth")).body).toMatchObject({
    acme: [
      { type: "oauth", label: "Acme account", prompts: [{ key: "team" }] },
      { type: "api", label: "API key" },
    ],
  })

  const begun = await send("POST", "/provider/acme/oauth/authorize", { method: 0, inputs: { team: "red" } })

  expect(begun.body).toEqual({ url: `${url}/authorize?team=red`, method: "code", instructions: "Bring the code." })
  const wrong = await send("POST", "/provider/acme/oauth/callback", { method: 0, code: "a-wrong-code" })
  expect(wrong).toMatchObject({ status: 400, body: { name: "ProviderAuthOauthCallbackFailed" } })
  expect(JSON.parse(await readFile(path, "utf8"))).toEqual({ other: { type: "later", of: 1 } })
  const right = await send("POST", "/provider/acme/oauth/callback", { method: 0, code: "the-right-code" })
  expect(right).toEqual({ status: 200, body: true })
  expect(JSON.parse(await readFile(path, "utf8"))).toEqual({
    other: { type: "later", of: 1 },
    acme: { type: "oauth", access: "the-access-token", refresh: "the-refresh-token", expires: 5 },
  })
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  const tokens = ["the-access-token", "the-refresh-token"]
  const secrets = ["a-wrong-code", "the-right-code", ...tokens]
  expect(tokens.filter((secret) => host.secrets.mask(`it is ${secret}.`).includes(secret))).toEqual([])
  expect(secrets.filter((secret) => JSON.stringify([wrong, written]).includes(secret))).toEqual([])
})

it("runs no plugin of a project that is not trusted", async () => {
  const { send, asked } = await served()

  expect(await send("GET", "/provider/auth")).toEqual({ status: 200, body: {} })
  const begun = await send("POST", "/provider/acme/oauth/authorize", { method: 0, inputs: { team: "red" } })

  expect(begun).toMatchObject({ status: 400, body: { name: "BadRequest" } })
  expect(asked).toEqual([])
})
