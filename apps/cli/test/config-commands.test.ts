import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { desk } from "./in-process.ts"
import { jsonLines } from "./workplace.ts"

async function configured() {
  const place = await desk()
  const key = "sk-test-0123456789abcdef0123456789"
  await writeFile(
    join(place.configuration, "pawl.jsonc"),
    `{ // mine\n  "model": "local/a",\n  "provider": { "local": { "options": { "baseURL": "http://127.0.0.1:1/v1", "apiKey": "${key}" } } }\n}`,
  )
  await mkdir(join(place.project, ".git"))
  await writeFile(
    join(place.project, "pawl.jsonc"),
    `{\n  "model": "local/b", "permission": { "bash": { "git *": "ask" } } }`,
  )
  return { ...place, key }
}

it("shows what counts as one document, a later file over an earlier one, without its keys", async () => {
  const { pawl, key } = await configured()

  const { code, stdout } = await pawl("config", "show")

  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    provider: { local: { options: { baseURL: "http://127.0.0.1:1/v1", apiKey: "(hidden)" } } },
    model: "local/b",
    permission: { bash: { "git *": "ask" } },
  })
  expect(stdout).not.toContain(key)
})

it("says of each value which file, line and column it comes from", async () => {
  const { pawl, configuration } = await configured()

  const { stdout } = await pawl("config", "show", "--origin")

  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => line.split(/ {2,}/))
  expect(lines).toContainEqual(['model = "local/b"', "pawl.jsonc:2:3"])
  expect(lines).toContainEqual(['permission.bash["git *"] = "ask"', "pawl.jsonc:2:49"])
  const [, base] = lines.find(([text]) => text?.startsWith("provider.local.options.baseURL")) ?? []
  expect(base).toMatch(/pawl\.jsonc:3:\d+$/)
  expect(base).toContain(configuration.split("/").at(-1))
})

it("shows what is below a key, as a document or as lines for a program", async () => {
  const { pawl } = await configured()

  expect(JSON.parse((await pawl("config", "show", "permission.bash")).stdout)).toEqual({ "git *": "ask" })
  expect(JSON.parse((await pawl("config", "show", "model")).stdout)).toBe("local/b")
  expect(jsonLines((await pawl("config", "show", "provider", "--format", "json")).stdout)).toMatchObject([
    { key: "provider.local.options.baseURL", value: "http://127.0.0.1:1/v1", line: 3 },
    { key: "provider.local.options.apiKey", value: "(hidden)", line: 3 },
  ])
})

it("names a key that is near to one that is not configured", async () => {
  const { pawl } = await configured()

  const { code, stderr } = await pawl("config", "show", "modle")

  expect(code).toBe(2)
  expect(stderr).toContain('Nothing is configured at "modle".')
  expect(stderr).toContain("Did you mean model?")
})

it("lists the sources in their order, and where one's own would be when there are none", async () => {
  const { pawl, project, configuration } = await configured()
  const { stdout } = await pawl("config", "files")
  expect(stdout.split("\n")).toEqual([
    join(configuration, "pawl.jsonc"),
    `${join(project, "pawl.jsonc")} · of the project`,
    "",
  ])

  const empty = await desk()
  expect((await empty.pawl("config", "files")).stdout).toContain(`${empty.configuration}/pawl.jsonc`)
  expect((await empty.pawl("config", "show")).stdout).toBe("{}\n")
})

it("leaves out what an untrusted project may not do, and says what", async () => {
  const { pawl, project } = await configured()
  await writeFile(join(project, "pawl.jsonc"), '{ "model": "local/b", "plugin": ["./evil.ts"] }')

  const { stdout, stderr } = await pawl("config", "show")

  expect(stdout).not.toContain("evil")
  expect(stderr).toContain("plugin")
  expect((await pawl("config", "files")).stdout).toContain("not trusted: without plugin")
})

it("shows nothing of a project that a terminal would obey", async () => {
  const { pawl, project } = await desk()
  const config = { agent: { "a\u009b2J": { prompt: "\u202e\u001b[2J" } } }
  await writeFile(join(project, "opencode.json"), JSON.stringify({ ...config, "\u009b": 1 }))

  const shown = await pawl("config", "show")
  expect(JSON.parse(shown.stdout)).toEqual(config)
  const others = [["show", "--origin"], ["show", "--format", "json"], ["files"], ["files", "--format", "json"]]
  const calls = await Promise.all(others.map((words) => pawl("config", ...words)))
  for (const { stdout, stderr } of [shown, ...calls]) {
    expect((stdout + stderr).replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  }
})

it("prints a schema that knows the keys", async () => {
  const { pawl } = await configured()

  const { stdout } = await pawl("config", "schema")

  expect(JSON.parse(stdout)).toMatchObject({ properties: { model: {}, provider: {}, permission: {} } })
})

it("reads one more file for --config, before or behind the command's name, relative to here", async () => {
  const { pawl, project } = await configured()
  await writeFile(join(project, "more.jsonc"), '{ "title": false }')

  for (const line of [
    ["config", "show", "title", "--config", "more.jsonc"],
    ["--config=more.jsonc", "config", "show", "title"],
  ]) {
    expect((await pawl(...line)).stdout).toBe("false\n")
  }
  const { stdout } = await pawl("config", "files", "--config", "more.jsonc")
  expect(stdout).toContain(`${join(project, "more.jsonc")} · named by --config or PAWL_CONFIG\n`)
  const { code, stderr } = await pawl("config", "show", "--config", "none.jsonc")
  expect(code).toBe(2)
  expect(stderr).toContain("none.jsonc: The file does not exist. Name another one, by --config or PAWL_CONFIG.")
})

it("reads what OpenCode's variables name as the user's, below pawl's own, and shows where it comes from", async () => {
  const { pawl, project, environment } = await desk()
  await mkdir(join(project, "foreign"))
  await writeFile(
    join(project, "theirs.json"),
    '{ "theme": "x", "model": "a/theirs", "permission": { "bash": "allow" } }',
  )
  await writeFile(join(project, "mine.jsonc"), '{ "model": "a/mine" }')
  Object.assign(environment, { OPENCODE_CONFIG: "theirs.json" })
  const show = async (key: string) => (await pawl("config", "show", key, "--dir", "foreign")).stdout

  expect(await show("model")).toBe('"a/theirs"\n')
  Object.assign(environment, {
    PAWL_CONFIG: "mine.jsonc",
    OPENCODE_CONFIG_CONTENT: '{ "autoupdate": false, "title": false }',
  })
  expect(await show("model")).toBe('"a/mine"\n')
  expect(await show("title")).toBe("false\n")
  expect(await show("permission.bash")).toBe('"allow"\n')
  const { stdout } = await pawl("config", "files")
  expect(stdout).toContain(`${join(project, "theirs.json")} · named by OPENCODE_CONFIG\n  without `)
  expect(stdout).toContain("OPENCODE_CONFIG_CONTENT\n")
  expect((await pawl("config", "show", "--origin")).stdout).toMatch(/^title = false +OPENCODE_CONFIG_CONTENT:1:24$/m)
  Object.assign(environment, { OPENCODE_CONFIG: "none.json" })
  expect((await pawl("config", "show")).stderr).toContain("Name another one, by OPENCODE_CONFIG.")
  Object.assign(environment, { OPENCODE_CONFIG: "", OPENCODE_CONFIG_CONTENT: "{" })
  expect((await pawl("config", "show")).stderr).toMatch(/OPENCODE_CONFIG_CONTENT:1:2: Expected/)
})

it("takes the file of PAWL_CONFIG from where pawl was started, wherever it works", async () => {
  const { pawl, project, environment } = await desk()
  await mkdir(join(project, "foreign"))
  await writeFile(join(project, "mine.jsonc"), '{ "model": "a/mine" }')
  await writeFile(join(project, "foreign/mine.jsonc"), '{ "model": "a/foreign", "plugin": ["./evil.ts"] }')
  environment["PAWL_CONFIG"] = "mine.jsonc"
  expect(JSON.parse((await pawl("config", "show", "--dir", "foreign")).stdout)).toEqual({ model: "a/mine" })
})

it("names the variables that go before the configuration, and those that count where it says nothing", async () => {
  const { pawl, environment } = await configured()
  Object.assign(environment, {
    ...{ PAWL_MODEL: "local/c", OPENAI_BASE_URL: "http://me:secret@127.0.0.1:1", PAWL_DISABLE_PRUNE: "1" },
    PAWL_STORAGE: "postgres://me:secret@db.example/pawl",
  })

  const { stdout } = await pawl("config", "show", "--origin")

  const origins = new Map(stdout.split("\n").map((line) => line.split(/ {2,}/) as [string, string]))
  expect(origins.get('model = "local/c"')).toBe("PAWL_MODEL")
  expect(origins.get("compaction.prune = false")).toBe("PAWL_DISABLE_PRUNE")
  expect([...origins.values()]).toEqual(expect.arrayContaining(["PAWL_STORAGE", "PAWL_DATA_DIR", "OPENAI_BASE_URL"]))
  expect(stdout).not.toContain("secret")
  // The document is what is written.
  expect((await pawl("config", "show", "model")).stdout).toBe('"local/b"\n')
})

it("shows references as they are written, and never what they stand for", async () => {
  const { pawl, configuration, environment } = await configured()
  environment["LOCAL_KEY"] = "sk-secret-of-the-environment"
  await writeFile(
    join(configuration, "pawl.jsonc"),
    '{ "provider": { "local": { "options": { "apiKey": "{env:LOCAL_KEY}", "headers": { "a": "Bearer {env:LOCAL_KEY}" } } } } }',
  )

  for (const form of [[], ["--origin"], ["--format", "json"]]) {
    const { stdout } = await pawl("config", "show", "provider", ...form)
    expect(stdout).toContain("{env:LOCAL_KEY}")
    expect(stdout).not.toContain("sk-secret")
  }
})

it("reads no configuration to help", async () => {
  const { pawl, configuration } = await configured()
  await writeFile(join(configuration, "pawl.jsonc"), "{")

  expect((await pawl("config", "show")).code).toBe(2)
  for (const line of [["--help"], ["config", "--help"], ["config", "show", "--help", "--config", "none.jsonc"]]) {
    expect((await pawl(...line)).code).toBe(0)
  }
})
