import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { modelServer } from "@pawl/model-server"
import { expect, it } from "vitest"
import { desk } from "./in-process.ts"
import { jsonLines } from "./workplace.ts"

async function findings(place: Awaited<ReturnType<typeof desk>>) {
  const { code, stdout } = await place.pawl("doctor", "--format", "json")
  const found = Object.fromEntries(jsonLines(stdout).map(({ name, ...rest }) => [String(name), rest]))
  return { code, found }
}

it("finds everything where everything is there", async () => {
  await using server = await modelServer({ replies: [] })
  const place = await desk()
  place.environment["PATH"] = process.env["PATH"] ?? ""
  await writeFile(
    join(place.configuration, "pawl.jsonc"),
    JSON.stringify({ provider: { local: { options: { baseURL: server.url }, models: { a: {} } } } }),
  )

  const { code, found } = await findings(place)

  expect(code).toBe(0)
  expect(found).toMatchObject({
    ...{ node: { state: "good", says: expect.stringContaining(process.version) as string } },
    ...{ git: { state: "good" }, ripgrep: { state: "good" }, configuration: { state: "good" } },
    ...{ storage: { state: "good", says: expect.stringContaining("0 sessions") as string } },
    models: { state: "good", says: expect.stringMatching(/\d known, \S+ by default/) as string },
  })
  const { stdout } = await place.pawl("doctor")
  expect(stdout).toMatch(/^✓ node {2,}v/m)
})

it("says what is missing and what to do, and fails where something has to be mended", async () => {
  const place = await desk()
  place.environment["PATH"] = place.project
  place.environment["PAWL_STORAGE"] = "sqlite:/proc/none/pawl.db"

  const { code, found } = await findings(place)

  expect(code).toBe(1)
  expect(found).toMatchObject({
    git: { state: "missing", advice: expect.stringContaining("Install git") as string },
    storage: { state: "bad", says: expect.stringContaining("/proc/none") as string },
  })
})

it("says where no log can be written", async () => {
  const place = await desk()
  await mkdir(place.data)
  await writeFile(join(place.data, "log"), "")

  const { found } = await findings(place)

  expect(found["log"]).toMatchObject({ state: "missing", says: expect.stringContaining("cannot be written (ENOTDIR)") })
})

it("names a broken configuration once", async () => {
  const place = await desk()
  await writeFile(join(place.configuration, "pawl.jsonc"), '{ "modle": 1 }')

  const { code, found } = await findings(place)

  expect(code).toBe(1)
  expect(found["configuration"]).toMatchObject({ state: "bad", says: expect.stringContaining("1:3") as string })
  expect(Object.values(found).filter(({ says }) => String(says).includes("modle"))).toHaveLength(1)
  expect(found["storage"]).toMatchObject({ state: "missing" })
})

it("shows no key that the configuration holds", async () => {
  const place = await desk()
  const key = "sk-test-0123456789abcdef0123456789"
  await writeFile(
    join(place.configuration, "pawl.jsonc"),
    JSON.stringify({ provider: { local: { options: { baseURL: `http://127.0.0.1:1/${key}`, apiKey: key } } } }),
  )

  expect((await place.pawl("doctor")).stdout).not.toContain(key)
})
