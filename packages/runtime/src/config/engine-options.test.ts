import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { memoryStorage } from "@pawl/storage-memory"
import { expect, it } from "vitest"
import { runtimeHost } from "../../test/runtime-host.ts"
import { temporaryDirectory } from "../../test/temporary-directory.ts"
import { readDefinedSettings } from "./definitions.ts"
import { engineOptions } from "./engine-options.ts"

/** Returns the engine's options under this user configuration. */
async function configured(config: object) {
  const directory = await temporaryDirectory()
  await writeFile(join(directory, "pawl.jsonc"), JSON.stringify(config))
  const environment = { PAWL_CONFIG_DIR: directory, PAWL_DATA_DIR: join(directory, "data") }
  const host = runtimeHost({ environment, home: directory })
  const settings = await readDefinedSettings(host, directory)
  return engineOptions(settings, host, memoryStorage())
}

it("says how often a request is made again, and which models take the place of one that cannot answer", async () => {
  const agent = { build: { fallback: ["mine/a"] }, plan: { steps: 3 } }
  const retry = { attempts: 2, total_ms: 60_000, delay_ms: 500 }
  const { options } = await configured({ retry, fallback: ["acme/large", "acme/small"], agent })

  expect(options.retry).toEqual({ attempts: 2, total: 60_000, delay: 500 })
  expect(options.fallback).toEqual([
    { providerID: "acme", modelID: "large" },
    { providerID: "acme", modelID: "small" },
  ])
  const fallbacks = options.agents?.map(({ name, fallback }) => [name, fallback])
  expect(fallbacks).toEqual([
    ["build", [{ providerID: "mine", modelID: "a" }]],
    ["plan", undefined],
  ])
  expect((await configured({})).options).toMatchObject({ retry: {}, fallback: [] })
})

it("gives up on a tool only after what it stopped was killed, and never where that is never killed", async () => {
  const { options, running } = await configured({ deadlines: { abort_ms: 20_000 } })
  expect(running.stopGrace).toBe(20_000)
  expect(options.deadlines?.abort).toBeGreaterThanOrEqual(21_000)
  expect((await configured({ deadlines: { abort_ms: 0 } })).options.deadlines?.abort).toBe(0)
  expect((await configured({})).options.deadlines).not.toHaveProperty("abort")
})

it("finds failed tests and errors in outputs", async () => {
  const { outputFacts } = (await configured({})).options

  expect(outputFacts?.testRun("--- FAIL: TestAdd (0.00s)\nFAIL\n", 1)).toEqual({ isFailed: true, failing: ["TestAdd"] })
  expect(outputFacts?.errorLine("TypeError: x is not a function")).toBe("TypeError: x is not a function")
})
