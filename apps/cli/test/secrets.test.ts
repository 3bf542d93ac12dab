import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { call, httpError, modelServer, reply, text } from "@pawl/model-server"
import { describe, expect, it } from "vitest"
import { desk } from "./in-process.ts"

const KEY = "quite-a-plain-value"
/** As it stands in a header. */
const ENCODED = Buffer.from(KEY).toString("base64")

it.each(["text", "json"])("does not show a key that a server repeats, and keeps what it said: %s", async (format) => {
  const { pawl, environment } = await desk()
  await using server = await modelServer({ replies: [httpError(400, { message: `No such key: ${ENCODED}` })] })
  environment["PAWL_API_KEY"] = KEY

  const run = await pawl("run", "--format", format, "-m", "custom/x", "--base-url", server.url, "hi")
  const stored = await pawl("session", "show", "--raw", "--format", "json")

  expect(run.code).toBe(1)
  expect(run.stdout + run.stderr).toContain("No such key: ***")
  expect(run.stdout + run.stderr).not.toContain(ENCODED.slice(0, 20))
  expect(stored.stdout).toContain("No such key: ***")
  expect(stored.stdout).not.toContain(ENCODED.slice(0, 20))
})

it("does not show a key of the configuration in what is told of tools, where that may be a log", async () => {
  const { pawl, configuration } = await desk()
  const command = `echo ${ENCODED} ${KEY}`
  await using server = await modelServer({ replies: [reply(call("bash", { command })), reply(text("Done."))] })
  const provider = { mine: { options: { baseURL: server.url, apiKey: KEY } } }
  await writeFile(join(configuration, "pawl.jsonc"), JSON.stringify({ provider, permission: "allow" }))

  const run = await pawl("run", "-m", "mine/x", "hi")

  expect(run.code).toBe(0)
  expect(run.stderr).toContain("[removed:provider.mine.options.apiKey]")
  expect(run.stderr).not.toContain(KEY)
})

it("takes what is known to be secret out of a sanitized export", async () => {
  const { pawl, configuration, talk } = await desk()
  const id = await talk(`Look at ${KEY}`)
  const provider = { mine: { options: { apiKey: KEY } } }
  await writeFile(join(configuration, "pawl.jsonc"), JSON.stringify({ provider }))
  const exported = (...options: string[]) => pawl("session", "export", ...options, id)
  const [exact, clean] = [await exported("--raw"), await exported("--sanitize")]

  expect(exact.stdout).toContain(KEY)
  expect(clean.stdout).not.toContain(KEY)
  expect(clean.stdout).toContain("[removed:provider.mine.options.apiKey]")
})

it.each([
  ["that its prompt was cut to", (token: string) => `my password=hunter2secret and my very own token ${token}`, "ghp_"],
  ["that was stored cut before", (token: string) => `About ${token.slice(0, 20)}…`, "ghp_"],
  ["that was stored cut within a key of the configuration", () => `About ${KEY.slice(0, 9)}…`, KEY.slice(0, 5)],
])("shows no half of a secret in a title %s", async (_, titleOf, half) => {
  const { pawl, configuration, talk } = await desk()
  const title = titleOf(`ghp_${"a1B2c3D4e5F6g7H8i9".repeat(2)}`)
  const id = await talk(title)
  const provider = { mine: { options: { apiKey: KEY } } }
  await writeFile(join(configuration, "pawl.jsonc"), JSON.stringify({ provider }))

  for (const command of [
    ...[
      ["session", "list"],
      ["session", "list", "--format", "json"],
      ["session", "show", id],
    ],
    ...[
      ["search", "about"],
      ["search", "password"],
      ["search", "password", "--format", "json"],
      ["session", "export", id],
    ],
  ]) {
    const { stdout, stderr } = await pawl(...command)
    expect(stdout + stderr).not.toContain(half)
  }
  expect((await pawl("session", "list")).stdout).toContain("[removed:")
})

describe("what is stored", () => {
  const TOKEN = `ghp_${"a1B2c3D4e5F6g7H8i9".repeat(2)}`

  async function stored() {
    const place = await desk()
    const id = await place.talk(`Look at ${KEY} and ${TOKEN} of walruses`)
    const provider = { mine: { options: { apiKey: KEY } } }
    await writeFile(join(place.configuration, "pawl.jsonc"), JSON.stringify({ provider }))
    const renamed = await place.pawl("session", "rename", id, `About ${TOKEN}`)
    expect(renamed.stderr).toContain("is now called")
    expect(renamed.stderr).not.toContain(TOKEN)
    await place.pawl("session", "pin", id, `Never use ${TOKEN}`)
    return { ...place, id }
  }

  it.each([
    ["session", "show"],
    ["session", "show", "--format", "json"],
    ["search", "walruses"],
    ["search", "walruses", "--format", "json"],
    ["session", "list"],
    ["session", "list", "--format", "json"],
    ["session", "pin", "--list"],
    ["session", "pin", "--list", "--format", "json"],
    ["session", "context", "--format", "json", "-m", "ollama/x"],
    ["session", "export"],
    ["session", "export", "--recording"],
  ])("is printed without secrets, unless they are wanted: pawl %s %s %s", async (...args) => {
    const { pawl, id } = await stored()
    const call = (more: string[]) => pawl(...args, ...more, ...(args[1] === "export" ? [id] : []))
    const [masked, raw] = [await call([]), await call(["--raw"])]
    for (const { code, stdout } of [masked, raw]) expect([code, stdout === ""]).toEqual([0, false])
    expect(masked.stdout + masked.stderr).not.toContain(TOKEN)
    expect(masked.stdout + masked.stderr).not.toContain(KEY)
    if (args[1] !== "context") expect(raw.stdout).toContain(args[1] === "list" ? TOKEN.slice(0, 12) : TOKEN)
    if (args[1] === "context") return
    expect(masked.stdout).toContain("[removed:")
    if (!args.includes("json")) return
    const shapes = [masked, raw].map(({ stdout }) => {
      return stdout.split("\n").map((line) => (line === "" ? "" : shapeOf(JSON.parse(line))))
    })
    expect(shapes[0]).toEqual(shapes[1])
  })

  it.each(["json", "text"])(
    "is not found by the letters of a masked secret, unless it is wanted: %s",
    async (format) => {
      const { pawl } = await stored()
      const search = (...words: string[]) => pawl("search", "--format", format, ...words)

      for (const prefix of [TOKEN, TOKEN.slice(0, 9), KEY.slice(0, 8)]) {
        expect((await search("walruses", prefix)).stdout).toBe("")
        expect((await search("--raw", prefix)).stdout).toContain("walruses")
      }
      expect((await search("walruses")).stdout).toContain("walruses")
    },
  )

  it("is exported with a word that it was masked, and an import of that warns", async () => {
    const { pawl, id, project } = await stored()
    const masked = await pawl("session", "export", "-o", "masked.json", id)
    expect(masked.stderr).toContain("With --raw they are kept.")
    expect(masked.stderr).not.toContain(TOKEN)
    await pawl("session", "export", "--raw", "-o", "raw.json", id)
    const read = async (name: string) => JSON.parse(await readFile(join(project, name), "utf8")) as { masked?: string }
    expect([(await read("masked.json")).masked, (await read("raw.json")).masked]).toEqual(["keys", undefined])

    const storage = ["--storage", "file:tree"]
    const imported = await pawl("session", "import", ...storage, "masked.json")
    expect(imported).toMatchObject({ code: 0, stderr: expect.stringContaining("was masked when it was exported") })
    const whole = await pawl("session", "import", "--new-ids", ...storage, "raw.json")
    expect(whole.stderr).not.toContain("masked")
  })

  it("is masked or not, and not both", async () => {
    const { pawl, id } = await stored()
    const refused = { code: 2, stderr: expect.stringContaining("--raw keeps secrets") }
    expect(await pawl("session", "export", "--raw", "--sanitize", id)).toMatchObject(refused)
  })
})

/** The names of its fields, its ids and numbers. */
function shapeOf(value: unknown): unknown {
  if (typeof value === "string") return /^(?:ses|msg|prt)_/.test(value) ? value : "text"
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]))
}
