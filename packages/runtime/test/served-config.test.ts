import { chmod, lstat, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { createServerApp } from "@pawl/server"
import { expect, it, onTestFinished } from "vitest"
import { openServedDirectory } from "../src/served-directory.ts"
import { runtimeHost } from "./runtime-host.ts"
import { temporaryDirectory } from "./temporary-directory.ts"

const KEY = "walrus-and-carpenter-1"

/** The routes over a directory with the user's configuration in a file of this name and text. */
async function served(written?: string, name = "pawl.jsonc") {
  const root = await temporaryDirectory()
  const directory = join(root, "project")
  const folder = join(root, "config")
  await mkdir(directory)
  await mkdir(folder)
  const file = join(folder, name)
  if (written !== undefined) await writeFile(file, written)
  const host = runtimeHost({
    directory,
    home: root,
    environment: {
      PAWL_DATA_DIR: join(root, "data"),
      PAWL_CONFIG_DIR: folder,
      PATH: process.env["PATH"],
      SOME_KEY: "oysters-in-a-row-2",
    },
  })
  const answers = join(root, "answers.jsonl")
  await writeFile(answers, `${JSON.stringify({ text: "Hi." })}\n`)
  const opened = await openServedDirectory({
    ...{ directory, host, storage: "memory:", model: { script: answers, pace: 0 } },
  })
  onTestFinished(() => opened.close())
  const app = createServerApp(opened.host)
  const send = async (method: string, path: string, body?: string) => {
    const answer = await app.request(path, { method, ...(body === undefined ? {} : { body }) })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  return {
    ...{ root, folder, file, directory },
    get: async () => (await send("GET", "/global/config")).body,
    effective: async () => (await send("GET", "/config")).body,
    patch: (part: unknown) => send("PATCH", "/global/config", typeof part === "string" ? part : JSON.stringify(part)),
    text: () => readFile(file, "utf8"),
  }
}

/** Matches an answer that refuses with this text. */
function refused(text: string) {
  return { status: 400, body: { name: "BadRequest", data: { message: expect.stringContaining(text) } } }
}

const COMMENTED = `// mine
{
    "title": false, // no titles
    "agent": {
        "build": { "steps": 3 /* enough */ },
    },
}
`

it("shows the user's own configuration, references as they are written, and secrets hidden", async () => {
  const provider = { far: { options: { baseURL: "https://far.example/v1", apiKey: KEY } } }
  const near = { options: { baseURL: "https://near.example/v1", apiKey: "{env:SOME_KEY}" } }
  const { directory, get } = await served(JSON.stringify({ provider: { ...provider, near }, log: { level: "info" } }))
  await writeFile(join(directory, "pawl.jsonc"), '{ "default_agent": "plan" }')
  expect(await get()).toEqual({
    provider: {
      far: { options: { baseURL: "https://far.example/v1", apiKey: "[removed:provider.far.options.apiKey]" } },
      near,
    },
  })
})

it("merges a part into the file, keeps its comments, and answers when it applies", async () => {
  const { effective, patch, text } = await served(COMMENTED)
  const answer = await patch({ agent: { build: { temperature: 0.5 } }, default_agent: "plan" })
  expect(answer).toEqual({
    status: 200,
    body: { agent: { build: { steps: 3, temperature: 0.5 } }, default_agent: "plan" },
  })
  expect(await effective()).toMatchObject({ default_agent: "plan", agent: { build: { steps: 3, temperature: 0.5 } } })
  const written = await text()
  expect(written).toContain('// mine\n{\n    "title": false, // no titles\n')
  expect(written).toMatch(/"steps": 3[^}]*\/\* enough \*\//)
  expect(written).toMatch(/^ {4}"default_agent": "plan"/m)
})

it("creates a file that only its owner can read, and keeps the mode of an existing one", async () => {
  const created = await served()
  await created.patch({ default_agent: "plan" })
  expect((await stat(created.file)).mode & 0o777).toBe(0o600)
  await chmod(created.file, 0o664)
  await created.patch({ default_agent: "build" })
  expect((await stat(created.file)).mode & 0o777).toBe(0o664)
  expect(await readdir(created.folder)).toEqual(["pawl.jsonc"])
})

it("writes through a symbolic link, which stays", async () => {
  const { root, file, patch } = await served('{ "default_agent": "plan" }')
  const target = join(root, "dotfiles.jsonc")
  await writeFile(target, "{ /* kept */ }")
  await rm(file)
  await symlink(target, file)
  expect((await patch({ default_agent: "build" })).status).toBe(200)
  expect((await lstat(file)).isSymbolicLink()).toBe(true)
  expect(await readFile(target, "utf8")).toMatch(/"default_agent": "build" \/\* kept/)
  await rm(target)
  expect(await patch({ default_agent: "plan" })).toMatchObject(refused("is a link to a file that does not exist"))
  expect((await lstat(file)).isSymbolicLink()).toBe(true)
})

it("changes OpenCode's file if there is no file of pawl, but refuses what pawl ignores in it", async () => {
  const root = await temporaryDirectory()
  const file = join(root, ".config", "opencode", "opencode.json")
  await mkdir(join(root, ".config", "opencode"), { recursive: true })
  await writeFile(file, '{ "theme": "dark" }')
  const { createUserConfig } = await import("../src/config/user-config.ts")
  const config = createUserConfig(runtimeHost({ home: root, environment: {} }))
  expect(await config.merge({ share: "auto" })).toEqual({ refusal: expect.stringContaining("share would have no") })
  expect(await config.merge({ default_agent: "plan" })).toBe(undefined)
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ theme: "dark", default_agent: "plan" })
  expect(await config.read()).toEqual({ default_agent: "plan" })
})

const many = Array.from({ length: 10_000 }, (_, at) => [`k${at}`, at])
const deep = `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`

it.each([
  ["a list", "[]", "expected an object"],
  ["null", "null", "expected an object"],
  ["a text", '"model"', "expected an object"],
  ["invalid JSON", "{", "not valid JSON"],
  ["an unknown key", '{ "modle": "a/b" }', 'Did you mean "model"?'],
  ["a wrong value", '{ "agent": { "build": { "steps": "many" } } }', "agent.build.steps must be"],
  ["null for a value", '{ "default_agent": null }', "default_agent"],
  ["__proto__", '{ "__proto__": { "polluted": true } }', '"__proto__" is not allowed'],
  ["__proto__ in an agent", '{ "agent": { "__proto__": { "steps": 1 } } }', '"__proto__" is not allowed'],
  ["constructor", '{ "constructor": { "prototype": {} } }', "constructor"],
  ["deep nesting", deep, "levels of objects"],
  ["very many values", JSON.stringify({ agent: { build: Object.fromEntries(many) } }), "more than 10000 values"],
  ["a text that no file may have", JSON.stringify({ shell: "x".repeat(1_048_500) }), "larger than 1 MiB"],
  ["a placeholder", '{ "shell": "[removed:secret.value]" }', "shell holds the placeholder"],
])("refuses %s, and leaves the file as it is", async (_what, body, message) => {
  const { patch, text } = await served(COMMENTED)
  expect(await patch(body)).toMatchObject(refused(message))
  expect(await text()).toBe(COMMENTED)
  expect(({} as { polluted?: true }).polluted).toBe(undefined)
})

it("refuses a body over 1 MiB", async () => {
  const { patch } = await served()
  expect((await patch({ shell: "x".repeat(1024 * 1024) })).status).toBe(413)
})

it("keeps secrets and references that a client sends back as it got them", async () => {
  const own = {
    provider: {
      far: { options: { baseURL: "https://far.example/v1", apiKey: KEY, headers: { authorization: `Bearer ${KEY}` } } },
      near: { options: { baseURL: "https://near.example/v1", apiKey: "{env:SOME_KEY}" } },
    },
    mcp: { tool: { type: "local", command: ["tool", `--token=${KEY}`], environment: { TOOL_TOKEN: KEY } } },
    permission: "ask",
  }
  const before = JSON.stringify(own, undefined, 2)
  const { get, patch, text } = await served(before)
  const shown = await get()
  expect(JSON.stringify(shown)).not.toContain(KEY)
  expect((await patch(shown)).status).toBe(200)
  expect(await text()).toBe(before)

  const { provider } = structuredClone(shown) as { provider: Record<string, { options: Record<string, unknown> }> }
  const { far } = provider
  if (far) far.options["baseURL"] = "https://further.example/v1"
  const changed = await patch({ ...shown, provider })
  expect(changed.status).toBe(200)
  expect(JSON.stringify(changed.body)).not.toContain(KEY)
  expect(await text()).toBe(before.replace("far.example", "further.example"))

  const mixed = { mcp: { tool: { command: ["tool", "--verbose", (shown as typeof own).mcp.tool.command[1]] } } }
  expect(await patch(mixed)).toMatchObject(refused("mcp.tool.command[2] holds the placeholder"))
})

it("hides a new secret in its answer", async () => {
  const { patch, text } = await served()
  const { body } = await patch({ provider: { far: { options: { apiKey: KEY } } } })
  expect(body).toEqual({ provider: { far: { options: { apiKey: "[removed:provider.far.options.apiKey]" } } } })
  expect(await text()).toContain(KEY)
})

it("names the place of an error in the file, and does not replace it", async () => {
  const { file, patch, get } = await served("{}")
  await writeFile(file, '{\n  "model": \n}\n')
  expect(await patch({ default_agent: "plan" })).toMatchObject(refused("~/config/pawl.jsonc:3:1"))
  expect(await get()).toMatchObject(refused("~/config/pawl.jsonc:3:1").body)
  expect(await readFile(file, "utf8")).toBe('{\n  "model": \n}\n')
})

it("refuses a file that is read-only", async () => {
  const { file, patch, text } = await served("{}")
  await chmod(file, 0o444)
  expect(await patch({ default_agent: "plan" })).toMatchObject(refused("is read-only"))
  expect(await text()).toBe("{}")
})

it("loses none of several changes at once", async () => {
  const { get, patch } = await served(COMMENTED)
  const names = Array.from({ length: 12 }, (_, at) => `agent-${at}`)
  const answers = await Promise.all(names.map((name) => patch({ agent: { [name]: { description: name } } })))
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200))
  const { agent } = (await get()) as { agent: object }
  expect(Object.keys(agent).toSorted()).toEqual(["build", ...names].toSorted())
})
