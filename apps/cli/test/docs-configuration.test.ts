import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { defaultDeadlines } from "@pawl/core/provider"
import { documentValue, jsonSchema, readConfig } from "@pawl/config"
import { Ajv } from "ajv"
import { describe, expect, it } from "vitest"
import { needsConsent } from "@pawl/runtime/organization/organization-config"
import { restartRequiredKeys } from "@pawl/runtime/plugins/restart-required-keys"
import { temporaryDirectory } from "./host.ts"

const DOCS = join(import.meta.dirname, "../../../docs")

/** The configurations in the documentation: blocks of JSON with comments. */
async function examples(): Promise<[place: string, text: string][]> {
  const names = (await readdir(DOCS)).filter((name) => name.endsWith(".md"))
  const found = names.map(async (name): Promise<[string, string][]> => {
    const text = await readFile(join(DOCS, name), "utf8")
    return [...text.matchAll(/```jsonc\n(.*?)```/gs)].map(({ index, 1: block = "" }) => {
      return [`${name}:${text.slice(0, index).split("\n").length}`, block]
    })
  })
  return (await Promise.all(found)).flat()
}

// Formats and annotations for editors are no errors in an instance.
const ajv = new Ajv({ allErrors: true, strictSchema: false, allowUnionTypes: true })
const fits = ajv.compile(await jsonSchema())

describe("the configurations in the documentation", async () => {
  const all = await examples()

  it("are found", () => expect(all.length).toBeGreaterThan(8))

  it.each(all)("%s fits the published schema, and pawl reads it", async (_, text) => {
    const value = await documentValue(text)
    expect(Object.keys(value as object)).not.toEqual([])
    expect([fits(value), fits.errors]).toEqual([true, null])

    const directory = await temporaryDirectory()
    await writeFile(join(directory, "pawl.jsonc"), text)
    const read = readConfig({ directory, env: {}, home: directory, substitute: false })
    await expect(read).resolves.toHaveProperty("sources", [join(directory, "pawl.jsonc")])
  })
})

it.each([{ modle: "a/b" }, { permission: { bash: "alow" } }, { agent: { a: { steps: "3" } } }, { fallback: "a/b" }])(
  "the schema refuses %o",
  (value) => expect(fits(value)).toBe(false),
)

it.each([
  ["first_event_ms", defaultDeadlines.firstEvent],
  ["idle_ms", defaultDeadlines.idle],
  ["event_ms", defaultDeadlines.events],
  ["waiting_ms", defaultDeadlines.waiting],
  ["tool_ms", defaultDeadlines.tool],
  ["subagent_ms", defaultDeadlines.subagent],
  ["question_ms", defaultDeadlines.question],
])("docs/configuration.md shows the engine's default of deadlines.%s", async (key, value) => {
  const text = await readFile(join(DOCS, "configuration.md"), "utf8")

  expect(text).toContain(`| \`deadlines.${key}\` | a whole number | ${value} |`)
})

describe("the introduction of docs/configuration.md", async () => {
  const text = await readFile(join(DOCS, "configuration.md"), "utf8")
  const keys = Object.keys(((await jsonSchema()) as { properties: object }).properties)
  const namedIn = (pattern: RegExp) => {
    return [...(pattern.exec(text)?.[0] ?? "").matchAll(/`([a-z_]+)`/g)].map(([, key = ""]) => key).toSorted()
  }

  it("names the keys that count when pawl is started again", () => {
    const changed = Object.fromEntries(keys.map((key) => [key, "changed"])) as Parameters<typeof restartRequiredKeys>[1]
    expect(namedIn(/^`compaction`[^]*?count when pawl is started/m)).toEqual(
      restartRequiredKeys({}, changed).toSorted(),
    )
  })

  it("names the keys that an organization changes without being accepted", () => {
    const passing = keys.filter((key) => key !== "$schema" && !needsConsent(key))
    expect(namedIn(/\*\*What changes needs you\*\*[^]*?taken over/)).toEqual(passing.toSorted())
  })
})
