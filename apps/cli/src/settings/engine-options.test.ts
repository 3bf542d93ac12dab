import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { memoryStorage } from "@pawl/storage-memory"
import { expect, it } from "vitest"
import { temporaryDirectory } from "../../test/host.ts"
import { readDefinedSettings } from "./definitions.ts"
import { engineOptions } from "./engine-options.ts"

/** What the engine is told under this configuration of the user's. */
async function configured(config: object) {
  const directory = await temporaryDirectory()
  await writeFile(join(directory, "pawl.jsonc"), JSON.stringify(config))
  const host = { environment: { PAWL_CONFIG_DIR: directory, PAWL_DATA_DIR: join(directory, "data") }, home: directory }
  const settings = await readDefinedSettings(host, directory)
  return engineOptions(settings, host, memoryStorage())
}

it("gives up on a tool only after what it stopped was killed, and never where that is never killed", async () => {
  const { options, running } = await configured({ deadlines: { abort_ms: 20_000 } })
  expect(running.stopGrace).toBe(20_000)
  expect(options.deadlines?.abort).toBeGreaterThanOrEqual(21_000)
  expect((await configured({ deadlines: { abort_ms: 0 } })).options.deadlines?.abort).toBe(0)
  expect((await configured({})).options.deadlines).not.toHaveProperty("abort")
})
