import { mkdir, readFile, stat, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { PassThrough } from "node:stream"
import { modelServer, reply, text } from "@pawl/model-server"
import { describe, expect, it, onTestFinished } from "vitest"
import { cli } from "../src/cli.ts"
import { capturedOutput, testHost } from "./host.ts"
import { desk, type Desk } from "./in-process.ts"
import { jsonLines, workplace } from "./workplace.ts"

const KEY = "a-key-that-nobody-sees"

const kept = async ({ data }: Pick<Desk, "data">) =>
  JSON.parse(await readFile(join(data, "auth.json"), "utf8")) as object
const keep = async ({ data }: Desk, credentials: object) => {
  await mkdir(data, { recursive: true })
  await writeFile(join(data, "auth.json"), JSON.stringify(credentials))
}
const configure = ({ configuration }: Desk, config: object) =>
  writeFile(join(configuration, "pawl.jsonc"), JSON.stringify(config))

/** What somebody pipes in. */
const piped = (typed: string) =>
  Object.assign(new PassThrough().end(typed), { isTTY: false }) as unknown as NodeJS.ReadStream

async function answering(count = 1) {
  const server = await modelServer({ replies: Array.from({ length: count }, () => reply(text("Done."))) })
  const headers = (at = -1) => server.requests.at(at)?.headers ?? {}
  return { server, headers, url: server.url, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

describe("pawl auth", () => {
  it("keeps a key that is piped in, for its owner alone, lists it without showing it, and forgets it", async () => {
    const here = await desk({ stdin: piped(`${KEY}\n`) })

    const login = await here.pawl("auth", "login", "acme")
    const list = await here.pawl("auth", "list")
    const facts = await here.pawl("auth", "list", "--format", "json")

    const path = join(here.data, "auth.json")
    expect(login).toMatchObject({ code: 0, stdout: `Signed in to "acme", saved in ${path}.\n` })
    expect(await kept(here)).toEqual({ acme: { type: "api", key: KEY } })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(list.stdout).toMatch(/^acme {2}key {2}\S*auth\.json\n$/)
    expect(jsonLines(facts.stdout)).toEqual([{ provider: "acme", kind: "key", source: path }])
    expect(JSON.stringify([login, list, facts])).not.toContain(KEY)
    expect(await here.pawl("auth", "logout", "acme")).toMatchObject({ code: 0, stdout: 'Signed out of "acme".\n' })
    expect(await kept(here)).toEqual({})
    expect(await here.pawl("auth", "logout", "acme")).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining('No credentials for "acme". No credentials are saved.') as string },
    })
  })

  it("keeps the key of a variable, and what it does not know itself of the file", async () => {
    const here = await desk()
    here.environment["ACME"] = KEY
    await keep(here, { other: { type: "later", of: 1 }, acme: { type: "api", key: "old" } })

    expect((await here.pawl("auth", "login", "acme", "--key-env", "ACME")).code).toBe(0)

    expect(await kept(here)).toEqual({ other: { type: "later", of: 1 }, acme: { type: "api", key: KEY } })
    expect(await here.pawl("auth", "login", "acme", "--key-env", "NONE")).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining("--key-env: the variable NONE is not set.") as string },
    })
    here.environment["ACME"] = ` ${KEY}-2\n`
    here.environment["NONE"] = " \n"
    expect((await here.pawl("auth", "login", "acme", "--key-env", "ACME")).code).toBe(0)
    expect((await here.pawl("auth", "login", "acme", "--key-env", "NONE")).code).toBe(2)
    expect(await kept(here)).toMatchObject({ acme: { type: "api", key: `${KEY}-2` } })
  })

  it("loses no credential where several processes keep one at a time", async () => {
    const { pawl, data } = await workplace()
    const ids = ["a", "b", "c", "d"]

    const logins = ids.map((id) => pawl(["auth", "login", id, "--key-env", "ACME"], { environment: { ACME: KEY } }))

    expect((await Promise.all(logins)).map(({ code }) => code)).toEqual([0, 0, 0, 0])
    expect(Object.keys(await kept({ data })).toSorted()).toEqual(ids)
  })

  it("says where each key comes from, the one that is used first", async () => {
    const here = await desk()
    here.environment["OPENAI_API_KEY"] = KEY
    await keep(here, {
      openai: { type: "api", key: KEY },
      acme: { type: "oauth", refresh: "r", access: "a", expires: 1 },
    })
    await configure(here, { provider: { openai: { options: { apiKey: KEY } } } })

    const { stdout } = await here.pawl("auth", "list", "--format", "json")

    expect(jsonLines(stdout)).toEqual([
      { provider: "acme", kind: "signed in", source: join(here.data, "auth.json") },
      { provider: "openai", kind: "key", source: join(here.configuration, "pawl.jsonc") },
      { provider: "openai", kind: "key", source: join(here.data, "auth.json") },
      { provider: "openai", kind: "key", source: "OPENAI_API_KEY" },
    ])
  })

  it("names what is wrong with the file", async () => {
    const here = await desk()
    await mkdir(here.data)
    await writeFile(join(here.data, "auth.json"), "{")

    expect(await here.pawl("auth", "list")).toMatchObject({
      ...{
        code: 1,
        stderr: expect.stringContaining("auth.json is not a JSON object of credentials. Repair it") as string,
      },
    })
  })
})

describe("a key that is kept", () => {
  it("is sent before one of the environment, after one of the configuration or of --api-key-env", async () => {
    await using answers = await answering(3)
    const here = await desk()
    Object.assign(here.environment, { OPENAI_API_KEY: "of-the-environment", NAMED: "of-a-variable" })
    await keep(here, { openai: { type: "api", key: KEY } })
    const options = { baseURL: answers.url }
    await configure(here, { provider: { openai: { options } } })

    expect((await here.pawl("run", "-m", "openai/small", "go")).code).toBe(0)
    expect(answers.headers().authorization).toBe(`Bearer ${KEY}`)
    await here.pawl("run", "-m", "openai/small", "--api-key-env", "NAMED", "go")
    expect(answers.headers().authorization).toBe("Bearer of-a-variable")
    await configure(here, { provider: { openai: { options: { ...options, apiKey: "of-the-configuration" } } } })
    await here.pawl("run", "-m", "openai/small", "go")
    expect(answers.headers().authorization).toBe("Bearer of-the-configuration")
  })

  it("chooses the usual model of its provider", async () => {
    const here = await desk()
    await keep(here, { mistral: { type: "api", key: KEY } })

    expect((await here.pawl("models")).stdout).toContain("mistral/devstral-medium-latest  signed in")
  })

  it("is not sent to an address that came with a project", async () => {
    await using answers = await answering()
    const here = await desk()
    await keep(here, { acme: { type: "api", key: KEY } })
    await writeFile(
      join(here.project, "pawl.jsonc"),
      JSON.stringify({ provider: { acme: { options: { baseURL: answers.url } } } }),
    )

    const run = await here.pawl("run", "--trust", "-m", "acme/small", "go")

    expect(run).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("pawl does not send your keys or headers") as string,
    })
    expect(answers.server.requests).toEqual([])
  })
})

/** A plugin of pawl's own kind, which signs in to the provider `acme`. */
const ACME = `import { definePlugin } from "@pawl/plugin"
import { appendFileSync } from "node:fs"
const log = (text) => appendFileSync(process.env.ACME_LOG, text + "\\n")
export default definePlugin(() => ({
  auth: {
    provider: "acme",
    async loader(stored, provider) {
      log("loaded " + provider.id + " " + provider.models.map(({ id }) => id))
      return {
        baseURL: process.env.ACME_URL,
        apiKey: "",
        headers: { "x-plan": "free" },
        fetch: async (input, init) => {
          const auth = await stored()
          return fetch(input, { ...init, headers: { ...init.headers, "x-token": auth.access } })
        },
      }
    },
    methods: [
      {
        type: "oauth",
        label: "Browser",
        prompts: [
          { type: "select", key: "plan", message: "Which plan?", options: [{ label: "Free", value: "free" }, { label: "Paid", value: "paid" }] },
          { type: "text", key: "seat", message: "Seat", when: { key: "plan", op: "eq", value: "paid" }, validate: (seat) => (seat === "12" ? undefined : "There is seat 12.") },
        ],
        authorize: async ({ plan, seat }) => ({
          url: "acme:" + plan + "/" + seat,
          instructions: "Bring the code.",
          method: "code",
          callback: async (code) => code === "right" ? { type: "success", refresh: "the-refresh-token", access: "the-access-token", expires: 5, team: "t" } : { type: "failed" },
        }),
      },
      { type: "api", label: "Key of the console", authorize: async () => ({ type: "success", key: "exchanged-key", provider: "acme-console" }) },
    ],
  },
  provider: {
    id: "acme",
    models: ({ models }, { auth }) => [...models, { ...models[0], id: "extra", name: auth?.type ?? "none", limit: { context: 4000, output: 100 }, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }, capabilities: { reasoning: false, attachment: false, toolCall: true } }],
  },
}))
`

async function withAcme(changes: Parameters<typeof desk>[0] = {}) {
  const here = await desk(changes)
  const [plugin, log] = ["acme.ts", "log.txt"].map((name) => join(dirname(here.project), name)) as [string, string]
  await writeFile(plugin, ACME)
  await configure(here, { plugin: [plugin] })
  process.env["ACME_LOG"] = log
  onTestFinished(() => {
    delete process.env["ACME_LOG"]
    delete process.env["ACME_URL"]
  })
  return { ...here, plugin, logged: () => readFile(log, "utf8").catch(() => "") }
}

const SIGNED_IN = { acme: { type: "oauth", refresh: "the-refresh-token", access: "the-access-token", expires: 5 } }

describe("a plugin that signs in", () => {
  it("gives its provider an address, headers and a fetch, once somebody has signed in", async () => {
    await using answers = await answering()
    const here = await withAcme()
    process.env["ACME_URL"] = answers.url
    const before = await here.pawl("run", "-m", "acme/small", "go")
    expect(before).toMatchObject({ code: 2, stderr: expect.stringContaining('Provider "acme" is not known') as string })
    expect(await here.logged()).toBe("")
    await keep(here, SIGNED_IN)

    const run = await here.pawl("run", "-m", "acme/small", "go")

    expect(run).toMatchObject({ code: 0, stdout: "Done.\n" })
    expect(await here.logged()).toBe("loaded acme small\n")
    expect(answers.headers()).toMatchObject({ "x-plan": "free", "x-token": "the-access-token" })
    expect(answers.headers()).not.toHaveProperty("authorization")
  })

  it("changes the models of its provider", async () => {
    const here = await withAcme()
    await configure(here, {
      plugin: [here.plugin],
      provider: { acme: { options: { baseURL: "http://127.0.0.1:9/v1" }, models: { small: {} } } },
    })

    const { stdout } = await here.pawl("models", "acme")
    const run = await here.pawl("run", "-m", "acme/unknown", "go")

    expect(stdout).toMatch(/^acme\/small .*plugins\nacme\/extra .*plugins\n$/)
    expect(run.stderr).toContain('Model "acme/unknown" is not known. Known for "acme": small, extra.')
  })

  it("asks what it has to know, takes a code, and has kept what comes of it", async () => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true })
    const here = await withAcme()
    const stderr = capturedOutput({ isTerminal: true })
    const { environment, project: directory } = here
    const changes = { environment, directory, home: dirname(directory), stdin: stdin as unknown as NodeJS.ReadStream }
    const typing = async (said: string, typed: string) => {
      await expect.poll(() => stderr.text()).toContain(said)
      stdin.write(typed)
    }

    const login = cli(["auth", "login", "acme"], { ...testHost(changes), stderr })
    await typing("1  Browser", "1\n")
    await typing("2  Paid", "2\n")
    await typing("2  Paid", "11\n")
    await typing("There is seat 12.", "12\n")
    await typing("Open in a browser: acme:paid/12\nBring the code.", "right\n")

    expect(await login).toBe(0)
    expect(await kept(here)).toEqual({ acme: { ...SIGNED_IN.acme, team: "t" } })
  })

  it("goes the way that is named, for a provider of the plugin's choice", async () => {
    const here = await withAcme()

    const login = await here.pawl("auth", "login", "acme", "--method", "console")

    expect(login.code).toBe(0)
    expect(await kept(here)).toEqual({ "acme-console": { type: "api", key: "exchanged-key" } })
    expect(await here.pawl("auth", "login", "acme", "--method", "smoke")).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining("There are: 1 Browser, 2 Key of the console.") as string },
    })
  })

  it("gets nothing to see while it is part of a project that is not trusted", async () => {
    await using answers = await answering()
    const here = await withAcme()
    process.env["ACME_URL"] = answers.url
    await configure(here, {})
    await mkdir(join(here.project, ".pawl/plugin"), { recursive: true })
    await writeFile(join(here.project, ".pawl/plugin/acme.ts"), ACME)
    await keep(here, SIGNED_IN)

    expect((await here.pawl("run", "-m", "acme/small", "go")).code).toBe(2)
    expect(await here.logged()).toBe("")
    expect(await here.pawl("run", "--trust", "-m", "acme/small", "go")).toMatchObject({ code: 0 })
    expect(await here.logged()).toBe("loaded acme small\n")
  })

  it("is named where it fails", async () => {
    const here = await withAcme()
    const failing = ACME.replace(
      "async loader(stored, provider) {",
      'async loader() { throw new Error("the seat is taken")',
    )
    await writeFile(here.plugin, failing)
    await keep(here, SIGNED_IN)

    const run = await here.pawl("run", "-m", "acme/small", "go")

    expect(run).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Plugin ".*acme.ts" could not sign in to "acme": the seat is taken/) as string,
    })
  })
})

it("docs/credentials.md shows a plugin that works as it says", async () => {
  await using answers = await answering()
  const here = await desk()
  const page = await readFile(new URL("../../../docs/credentials.md", import.meta.url), "utf8")
  const [, plugin = ""] = /^`acme\.ts`:\n\n```ts\n([^]*?)^```$/m.exec(page) ?? []
  await mkdir(join(here.configuration, "plugin"))
  await writeFile(join(here.configuration, "plugin/acme.ts"), plugin.replace("https://acme.example/v1", answers.url))
  await keep(here, { acme: { type: "oauth", refresh: "the-code", access: "", expires: 0 } })

  const run = await here.pawl("run", "-m", "acme/small", "go")

  expect(run).toMatchObject({ code: 0, stdout: "Done.\n" })
  expect(answers.headers()).toMatchObject({ authorization: "Bearer the-code", "x-client": "pawl" })
  expect(answers.server.requests[0]?.body).toMatchObject({ max_tokens: 8000 })
})

describe("opencode-copilot-auth, as it is published", () => {
  const PLUGIN = dirname(createRequire(import.meta.url).resolve("opencode-copilot-auth/package.json"))

  /** GitHub, as far as the plugin asks it; the rest goes out, and the plugin's own address to the model server. */
  function github(url: string) {
    const { fetch } = globalThis
    const asked: string[] = []
    globalThis.fetch = async (input, init) => {
      const { host, pathname, search } = new URL(input instanceof Request ? input.url : input)
      asked.push(`${host}${pathname}`)
      if (host === "api.githubcopilot.com") return fetch(`${url}${pathname}${search}`, init)
      if (pathname === "/login/device/code") {
        return Response.json({
          verification_uri: "https://github.com/device",
          user_code: "AB-12",
          device_code: "d",
          interval: 0,
        })
      }
      if (pathname === "/login/oauth/access_token") return Response.json({ access_token: "the-github-token" })
      if (pathname === "/copilot_internal/v2/token") {
        return Response.json({ token: "the-copilot-token", expires_at: Math.round(Date.now() / 1000) + 900 })
      }
      return fetch(input, init)
    }
    onTestFinished(() => void (globalThis.fetch = fetch))
    return asked
  }

  it("signs in by a device code, renews its token, keeps it, and signs requests in its own way", async () => {
    await using answers = await answering(2)
    const asked = github(answers.url)
    const here = await desk()
    await configure(here, { plugin: [PLUGIN] })
    // The first of its ways asks which GitHub, at a terminal.
    const stdin = Object.assign(new PassThrough(), { isTTY: true })
    const stderr = capturedOutput({ isTerminal: true })
    const { environment, project: directory } = here
    const changes = { environment, directory, home: dirname(directory), stdin: stdin as unknown as NodeJS.ReadStream }
    // There is no browser to be opened.
    const { PATH } = process.env
    process.env["PATH"] = ""
    onTestFinished(() => void (process.env["PATH"] = PATH))
    const login = cli(["auth", "login", "github-copilot", "--method", "Copilot"], {
      ...{ ...testHost(changes), stderr },
    })
    await expect.poll(() => stderr.text()).toContain("2  GitHub Enterprise")
    stdin.write("1\n")
    expect(await login).toBe(0)
    process.env["PATH"] = PATH
    expect(stderr.text()).toContain("Enter code: AB-12")
    expect(await kept(here)).toEqual({
      "github-copilot": { type: "oauth", refresh: "the-github-token", access: "", expires: 0 },
    })

    const run = await here.pawl("run", "-m", "github-copilot/gpt-5", "go")

    expect(run).toMatchObject({ code: 0, stdout: "Done.\n" })
    expect(asked).toContain("api.github.com/copilot_internal/v2/token")
    expect(asked).toContain("api.githubcopilot.com/chat/completions")
    expect(answers.headers()).toMatchObject({
      ...{ authorization: "Bearer the-copilot-token", "openai-intent": "conversation-edits", "x-initiator": "user" },
    })
    expect(await kept(here)).toMatchObject({ "github-copilot": { access: "the-copilot-token" } })
    const before = asked.filter((path) => path.endsWith("v2/token")).length
    await here.pawl("run", "-m", "github-copilot/gpt-5", "again")
    expect(asked.filter((path) => path.endsWith("v2/token"))).toHaveLength(before)
    expect(JSON.stringify(run)).not.toContain("the-copilot-token")
  })
})
