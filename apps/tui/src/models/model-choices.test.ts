import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { inOrderOfChoice, memoryModelChoices, openModelChoices } from "./model-choices.ts"

async function newFile(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "pawl-models-"))
  onTestFinished(() => rm(directory, { recursive: true }))
  return join(directory, "data", "models.json")
}

it("keeps favourites and the newest choices in a private file", async () => {
  const file = await newFile()
  const choices = openModelChoices(file)
  expect(await choices.read()).toEqual({ favourites: [], recent: [] })

  expect(await choices.toggle("a/1")).toBe(true)
  expect(await choices.toggle("a/2")).toBe(true)
  expect(await choices.toggle("a/1")).toBe(false)
  for (let number = 1; number <= 12; number++) await choices.use(`b/${number}`)
  await choices.use("b/12")

  const { favourites, recent } = await openModelChoices(file).read()
  expect(favourites).toEqual(["a/2"])
  expect(recent).toEqual(["b/12", "b/11", "b/10", "b/9", "b/8", "b/7", "b/6", "b/5", "b/4", "b/3"])
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

it("loses no change of another process", async () => {
  const file = await newFile()
  const [one, other] = [openModelChoices(file), openModelChoices(file)]
  const wanted = Array.from({ length: 20 }, (_, at) => `a/${at}`)

  await Promise.all(wanted.map((model, at) => (at % 2 === 0 ? one : other).toggle(model)))

  const { favourites } = await one.read()
  expect(favourites.toSorted()).toEqual(wanted.toSorted())
  expect(await readdir(join(file, ".."))).toEqual(["models.json"])
})

it("begins anew with a file that it cannot parse", async () => {
  const file = await newFile()
  await openModelChoices(file).toggle("a/1")
  await writeFile(file, '{"favourites":[1')

  await openModelChoices(file).use("a/2")

  expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ favourites: [], recent: ["a/2"] })
})

it("refuses more than 50 favourites", async () => {
  const choices = memoryModelChoices()
  for (let number = 0; number < 50; number++) await choices.toggle(`a/${number}`)

  await expect(choices.toggle("a/50")).rejects.toThrow("There are 50 favourites.")
  expect(await choices.toggle("a/0")).toBe(false)
})

it("sorts favourites before recent models before others", () => {
  const sorted = inOrderOfChoice(["a", "b", "c", "d"], { favourites: ["c"], recent: ["d", "c"] }, (name) => name)

  expect(sorted).toEqual(["c", "d", "a", "b"])
})
