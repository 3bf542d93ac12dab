import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { modelServer, reply, text } from "@pawl/model-server"
import { expect, it } from "vitest"
import { desk } from "./in-process.ts"

const hash = (output: string) => /hash (\w+)/.exec(output)?.[1] ?? ""

async function theirs() {
  const place = await desk()
  const server = await modelServer({ replies: ["One.", "Two.", "Three."].map((each) => reply(text(each))) })
  const write = (model = "x") => {
    const provider = { theirs: { options: { baseURL: server.url } } }
    return writeFile(join(place.project, "pawl.jsonc"), JSON.stringify({ provider, model: `theirs/${model}` }))
  }
  await write()
  return { ...place, server, write, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

it("sends nothing to a project's address until it is trusted, and again after a change", async () => {
  await using place = await theirs()
  const { pawl, server, write } = place

  const before = await pawl("run", "hi")
  const requestsBefore = server.requests.length
  const trusted = await pawl("trust", "--yes")
  const after = await pawl("run", "hi")
  await write("y")
  const changed = await pawl("run", "hi")

  expect(before).toMatchObject({ code: 2, stdout: "" })
  expect(before.stderr).toContain('Provider "theirs" is the word of')
  expect(before.stderr).toContain("pawl trust")
  expect(requestsBefore).toBe(0)
  expect(trusted.code).toBe(0)
  expect(trusted.stdout).toContain(`provider "theirs": sends what is said to ${server.url}`)
  expect(after).toMatchObject({ code: 0, stdout: "One.\n" })
  expect(changed.code).toBe(2)
  expect(server.requests).toHaveLength(1)
})

it("goes on without what is not trusted, and says what that is and how to change it", async () => {
  await using place = await theirs()
  const { pawl } = place
  await pawl("trust", "--yes")
  await place.write("y")

  const run = await pawl("run", "-m", "replay/hello", "hi")

  expect(run.code).toBe(0)
  expect(run.stderr.split("\n")[0]).toBe(
    "This project is not trusted, as it changed since it was trusted (pawl.jsonc); left out: provider of pawl.jsonc. To see what that does and allow it: pawl trust",
  )
})

it("trusts for one run what the hash of --trust names, and nothing else", async () => {
  await using place = await theirs()
  const { pawl, server } = place
  const shown = await pawl("trust")

  const wrong = await pawl("run", "--trust=00000000", "hi")
  const right = await pawl("run", `--trust=${hash(shown.stdout).slice(0, 12)}`, "hi")
  const later = await pawl("run", "hi")

  expect(shown.code).toBe(2)
  expect(shown.stderr).toContain("--yes")
  expect(wrong.code).toBe(2)
  expect(wrong.stderr).toContain(hash(shown.stdout))
  expect(right).toMatchObject({ code: 0, stdout: "One.\n" })
  expect(later.code).toBe(2)
  expect(server.requests).toHaveLength(1)
})

it("lists what is trusted, and forgets it", async () => {
  await using place = await theirs()
  const { pawl, project, data } = place
  await pawl("trust", "--yes")

  const listed = await pawl("trust", "--list")
  const removed = await pawl("trust", "--remove")
  const again = await pawl("trust", "--remove")

  expect(listed.stdout).toMatch(/^\d{4}-\d\d-\d\d {2}[\da-f]{12} {2}\S+project\n$/)
  expect(removed).toMatchObject({ code: 0, stderr: `${project} is no longer trusted.\n` })
  expect(again.code).toBe(2)
  expect((await pawl("run", "hi")).code).toBe(2)
  expect((await stat(join(data, "trust.json"))).mode & 0o777).toBe(0o600)
})

it("trusts nothing, and says why, when the record of it is damaged", async () => {
  await using place = await theirs()
  const { pawl, data } = place
  await pawl("trust", "--yes")
  const file = join(data, "trust.json")
  await writeFile(file, (await readFile(file, "utf8")).slice(0, -5))

  const run = await pawl("run", "-m", "replay/hello", "hi")

  expect(run.code).toBe(0)
  expect(run.stderr).toContain(`${file} cannot be used, so no project is trusted: it is not valid JSON`)
})

it("has nothing to say of a project without anything that runs or redirects", async () => {
  const { pawl, project } = await desk()
  const empty = await pawl("trust")
  await writeFile(join(project, "pawl.jsonc"), '{ "model": "replay/hello" }')
  const harmless = await pawl("trust")
  const run = await pawl("run", "hi")
  await rm(join(project, "pawl.jsonc"))

  expect(empty).toMatchObject({ code: 0, stdout: `${project} contains nothing that needs trust.\n` })
  expect(harmless.code).toBe(0)
  expect(harmless.stdout).toContain("It contains nothing that needs trust.")
  expect(run.stderr).not.toContain("trust")
})

it("holds for a plugin that keeps files beside itself, until one that it imports changes", async () => {
  const { pawl, project } = await desk()
  const keeping = `import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { name } from "../lib/name.ts"
export default async ({ directory }) => {
  const state = join(directory, ".opencode/state")
  mkdirSync(state, { recursive: true })
  for (const file of ["runs.json", "runs.db", "notes.md"]) writeFileSync(join(state, file), String(Math.random()))
  writeFileSync(join(directory, ".opencode/plugin/last.json"), String(Math.random()))
  return { tool: { [name]: { description: "Counts.", args: {}, execute: async () => "1" } } }
}`
  await mkdir(join(project, ".opencode/plugin"), { recursive: true })
  await mkdir(join(project, ".opencode/lib"))
  await writeFile(join(project, ".opencode/plugin/keeping.ts"), keeping)
  await writeFile(join(project, ".opencode/lib/name.ts"), 'export const name = "count"')
  const doctor = async () => (await pawl("plugin", "doctor")).stdout
  await pawl("trust", "--yes")

  const [first, second] = [await doctor(), await doctor()]
  await writeFile(join(project, ".opencode/lib/name.ts"), 'export const name = "other"')
  const changed = await pawl("plugin", "doctor")

  expect(first).toContain("1 tool")
  expect(second).toContain("1 tool")
  expect(changed).toMatchObject({ stdout: "", stderr: expect.stringContaining("(.opencode/lib/name.ts)") })
})
