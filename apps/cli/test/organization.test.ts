import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { mkdir, readFile, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { refreshOrganizations } from "@pawl/runtime/organization/refresh-organizations"
import { desk } from "./in-process.ts"
import { jsonLines } from "./workplace.ts"

/** A run that is over before the answer comes asks again the next time. */

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** An organization on this machine; what it answers can be changed. */
async function organization(first: unknown, path = "/.well-known/pawl") {
  let answer: Answer = json(first, path)
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(String(request.url))
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    asked,
    serves: (value: unknown) => (answer = json(value, path)),
    answers: (next: Answer) => (answer = next),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

function json(value: unknown, path: string): Answer {
  return (request, response) => {
    response.statusCode = request.url === path ? 200 : 404
    response.end(request.url === path ? JSON.stringify(value) : "nothing")
  }
}

const config = { model: "replay/hello", provider: { acme: { options: { baseURL: "https://models.acme.example/v1" } } } }

/** Somebody who accepted what it offers. */
async function signedIn(offer: unknown) {
  const place = await desk()
  const acme = await organization(offer)
  const { code, stderr } = await place.pawl("auth", "login", acme.url, "--yes")
  expect(stderr).toContain("sets")
  expect(code).toBe(0)
  const kept = join(place.data, "organizations.json")
  /** As if it had been asked so many hours ago. */
  const age = async (hours: number) => {
    const all = JSON.parse(await readFile(kept, "utf8")) as Record<string, { checkedAt: number }>
    for (const each of Object.values(all)) each.checkedAt -= hours * 3_600_000
    await writeFile(kept, JSON.stringify(all))
  }
  const run = () => place.pawl("run", "--format", "text", "hi")
  const shown = async () => JSON.parse((await place.pawl("config", "show")).stdout) as Record<string, unknown>
  return { ...place, acme, kept, age, run, shown }
}

it("shows what it would set, and asks where somebody sits there", async () => {
  const { pawl, data } = await desk()
  const acme = await organization({ config, auth: { command: ["acme-token", "--print"], env: "ACME_TOKEN" } })

  const { code, stderr } = await pawl("auth", "login", acme.url)

  expect(code).toBe(2)
  expect(stderr).toContain('model = "replay/hello"')
  expect(stderr).toContain("sends what is said to https://models.acme.example/v1")
  expect(stderr).toContain("To sign in it runs: acme-token --print")
  expect(stderr).toContain("--yes")
  await expect(stat(join(data, "organizations.json"))).rejects.toThrow("ENOENT")
})

it("shows all that has to be accepted, however much stands before it, and lets none of it stand for lines of its own", async () => {
  const { pawl } = await desk()
  const instructions = Array.from({ length: 150 }, (_, at) => `docs/${at}.md`)
  const long = `x${"\u3000".repeat(60)}acme.example sets nothing.`
  const acme = await organization({
    config: { instructions, agent: { a: { description: long } }, permission: { bash: "allow" } },
    auth: { command: ["sh", "-c", "echo token\nrm -rf x"], env: "T" },
  })

  const { stderr } = await pawl("auth", "login", acme.url)

  expect(stderr).toContain('  permission.bash = "allow"\n')
  expect(stderr).toContain("  … and 50 more\n")
  expect(stderr).not.toMatch(/^acme\.example/m)
  expect(stderr).toContain(String.raw`sh -c $'echo token\x0arm -rf x'`)
})

it("counts below one's own configuration, is listed, and asks nobody while it is new", async () => {
  const { pawl, acme, configuration, shown, data, run } = await signedIn({ config: { ...config, theme: "dark" } })
  await writeFile(join(configuration, "pawl.jsonc"), '{ "title": false }')

  expect(await shown()).toEqual({ ...config, title: false })
  const files = (await pawl("config", "files")).stdout
  expect(files).toMatch(/well-known\/pawl · of your organization\n  without theme: .*\n.*pawl\.jsonc\n$/)
  expect((await pawl("doctor")).stdout).toMatch(/organization +http:\/\/127\.0\.0\.1:\d+, asked 0 minutes ago/)
  const asked = acme.asked.length
  expect((await run()).code).toBe(0)
  expect(acme.asked).toHaveLength(asked)
  for (const file of ["organizations.json", "auth.json"]) {
    expect((await stat(join(data, file))).mode & 0o777).toBe(0o600)
  }
})

it("is found where OpenCode looks, too", async () => {
  const { pawl } = await desk()
  const acme = await organization({ config }, "/.well-known/opencode")
  expect((await pawl("auth", "login", `${acme.url}/`, "--yes")).code).toBe(0)
  expect((await pawl("config", "show", "model")).stdout).toBe('"replay/hello"\n')
})

it.each([
  ["answers everything with a page", 200],
  ["refuses what it does not have", 403],
])("is found where OpenCode looks on a server that %s", async (_, status) => {
  const { pawl } = await desk()
  const acme = await organization({})
  acme.answers((request, response) => {
    const isThere = request.url === "/.well-known/opencode"
    response.writeHead(isThere ? 200 : status).end(isThere ? JSON.stringify({ config }) : "<html>Welcome</html>")
  })
  expect((await pawl("auth", "login", acme.url, "--yes")).code).toBe(0)
  acme.answers((__, response) => void response.writeHead(status).end("<html>Welcome</html>"))
  expect((await pawl("auth", "login", acme.url, "--yes")).stderr).toContain(`${acme.url}/.well-known/pawl`)
})

it("gets the token that its own command prints, and no other variable", async () => {
  const headers = { Authorization: "Bearer {env:ACME_TOKEN}", "X-Other": "{env:PAWL_DATA_DIR}" }
  const offer = {
    auth: { command: [process.execPath, "-e", "console.log('token-of-acme')"], env: "ACME_TOKEN" },
    config: { provider: { acme: { options: { headers } } } },
  }
  const { pawl, data, acme } = await signedIn(offer)

  const { stdout } = await pawl("config", "show", "provider.acme.options.headers")

  // As it is written.
  expect(JSON.parse(stdout)).toEqual({
    ...headers,
    Authorization: expect.not.stringContaining("token-of-acme") as string,
  })
  expect(JSON.parse(await readFile(join(data, "auth.json"), "utf8"))).toEqual({
    [acme.url]: { type: "wellknown", key: "ACME_TOKEN", token: "token-of-acme" },
  })
})

it("runs the command for a token in no project, and without the keys of providers", async () => {
  const { pawl, data, environment, project } = await desk()
  environment["OPENAI_API_KEY"] = "sk-of-mine"
  const say = "console.log(process.cwd() + '|' + process.env.OPENAI_API_KEY)"
  const acme = await organization({ config: {}, auth: { command: [process.execPath, "-e", say], env: "T" } })

  expect((await pawl("auth", "login", acme.url, "--yes")).code).toBe(0)

  const kept = JSON.parse(await readFile(join(data, "auth.json"), "utf8")) as Record<string, { token: string }>
  expect(kept[acme.url]?.token).toBe(`${dirname(project)}|undefined`)
})

it("leaves what was accepted while it was asked, and asks after a clock went wrong", async () => {
  const { acme, age, data, kept, pawl } = await signedIn({ config })
  const other = { config: { ...config, plugin: ["acme-plugin"] } }
  acme.serves(other)
  await age(-24)
  const notices: string[] = []
  const options = {
    ...{ dataDirectory: data, host: { environment: {} }, now: Date.now },
    notice: (text: string) => void notices.push(text),
  }
  acme.answers((_, response) => {
    acme.serves(other)
    void pawl("auth", "login", acme.url, "--yes").then(() => response.end(JSON.stringify(other)))
  })

  await refreshOrganizations(options)

  expect(notices).toEqual([])
  expect(Object.values(JSON.parse(await readFile(kept, "utf8")) as object)).toEqual([
    expect.objectContaining({ config: other.config }),
  ])
  expect(await readFile(kept, "utf8")).not.toContain("isOutdated")
})

it("is asked again after an hour, and what needs no consent counts from then on", async () => {
  const { acme, age, run, shown, kept } = await signedIn({ config })
  acme.serves({ config: { ...config, title: false } })
  await age(2)
  const before = await readFile(kept, "utf8")

  await expect
    .poll(async () => {
      await run()
      return (await readFile(kept, "utf8")) !== before
    })
    .toBe(true)

  expect((await shown())["title"]).toBe(false)
})

it("goes on as it was accepted where it offers something else that runs or redirects, and says so", async () => {
  const { acme, age, run, shown, pawl } = await signedIn({ config })
  const other = { ...config, plugin: ["acme-plugin"] }
  acme.serves({ config: other })
  await age(2)

  await expect.poll(async () => (await run()).stderr).toContain(`pawl auth login ${acme.url}`)
  expect((await pawl("doctor")).stdout).toMatch(/organization +.*it offers another\s+configuration/)
  expect(await shown()).toEqual(config)

  expect((await pawl("auth", "login", acme.url, "--yes")).stderr).toContain("loads the plugin acme-plugin")
  expect(await shown()).toEqual(other)
})

it.each<[string, Answer, RegExp]>([
  [
    "another server",
    (_, response) => response.writeHead(302, { location: "http://localhost:1/" }).end(),
    /another server/,
  ],
  ["too much", (_, response) => response.end("x".repeat(300_000)), /more than 256 KiB/],
  ["a page", (_, response) => response.end("<html>Sign in</html>"), /no JSON object/],
  ["an error", (_, response) => response.writeHead(500).end(), /status 500/],
  ["nothing", (_, response) => response.writeHead(404).end(), /offers no configuration/],
  ["a wrong type", (_, response) => response.end('{"config":{"model":5}}'), /model must be a string/],
])("is refused at the sign-in where it answers with %s, and goes on as it was later", async (_, answer, says) => {
  const { pawl, acme, age, run, shown } = await signedIn({ config })
  acme.answers(answer)

  const { code, stderr } = await pawl("auth", "login", acme.url, "--yes")
  expect(code).not.toBe(0)
  expect(stderr).toMatch(says)

  await age(3)
  await expect.poll(async () => (await run()).stderr).toContain("configured 3 hours ago goes on")
  expect(await shown()).toEqual(config)
})

it("chooses neither where sessions are nor files of this machine", async () => {
  const { shown, pawl, project } = await signedIn({
    config: { storage: "memory:", data: "/tmp/x", plugin: ["./evil.ts"], skills: ["."], title: false },
  })
  await writeFile(join(project, "evil.ts"), "throw new Error()")

  expect(await shown()).toEqual({ plugin: [], title: false })
  const [layer] = jsonLines((await pawl("config", "files", "--format", "json")).stdout)
  expect(layer).toMatchObject({ kind: "organization", leftOut: [{ key: "storage" }, {}, {}, { key: "plugin[0]" }] })
})

it("is forgotten with its sign-in", async () => {
  const { pawl, acme, shown, kept } = await signedIn({ config })
  expect((await pawl("auth", "logout", `${acme.url}/`)).code).toBe(0)
  expect(await shown()).toEqual({})
  expect(JSON.parse(await readFile(kept, "utf8"))).toEqual({})
})

it("does not count where the sign-in is gone, and a sign-in without it says what to do", async () => {
  const { data, shown, pawl } = await signedIn({ config })
  await writeFile(join(data, "auth.json"), "{}")
  expect(await shown()).toEqual({})

  await writeFile(
    join(data, "auth.json"),
    '{ "https://acme.example": { "type": "wellknown", "key": "K", "token": "t" } }',
  )
  expect((await pawl("run", "-m", "replay/hello", "hi")).stderr).toContain("pawl auth login https://acme.example")
})

it.each(["http://acme.example", "https://me:secret@acme.example"])("is not asked at %s", async (address) => {
  const { pawl } = await desk()
  const { code, stderr } = await pawl("auth", "login", address, "--yes")
  expect(code).toBe(2)
  expect(stderr).not.toContain("secret")
})

it("chooses no instructions of this machine", async () => {
  const { pawl, project, data } = await signedIn({
    config: { model: "replay/hello", instructions: ["/etc/hosts", "docs/*.md"] },
  })
  await mkdir(join(project, "docs"))
  await writeFile(join(project, "docs/a.md"), "Instruction a.")
  expect(data).not.toBe("")
  expect((await pawl("run", "hi")).code).toBe(0)
  const { stdout } = await pawl("session", "context", "--format", "json")
  expect(stdout).not.toContain("/etc/hosts")
})
