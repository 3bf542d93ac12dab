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

it("prints a schema that knows the keys", async () => {
  const { pawl } = await configured()

  const { stdout } = await pawl("config", "schema")

  expect(JSON.parse(stdout)).toMatchObject({ properties: { model: {}, provider: {}, permission: {} } })
})
