import { execFile } from "node:child_process"
import { readdir, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { testDirectory } from "../../test/directory.ts"
import type { RemovedOutputs } from "./old-outputs.ts"
import { startOutputCleaning } from "./output-cleaning.ts"

async function oldOutput(directory: string, name: string): Promise<void> {
  await writeFile(join(directory, `tool_${name}_0f3a9c1e.txt`), "")
  await utimes(join(directory, `tool_${name}_0f3a9c1e.txt`), 1, 1)
}

it("removes nothing at once, then again and again until it is stopped", async () => {
  const directory = await testDirectory()
  await oldOutput(directory, "first")
  const times: RemovedOutputs[] = []
  const { promise: third, resolve } = Promise.withResolvers<void>()
  const cleaning = startOutputCleaning({
    ...{ directory, delay: 1, interval: 1 },
    onCleaned(removed) {
      times.push(removed)
      if (times.length === 3) resolve()
    },
  })
  expect(await readdir(directory)).toHaveLength(1)
  await third
  expect(times[0]).toMatchObject({ files: 1 })
  await cleaning.stop()
  const count = times.length
  await oldOutput(directory, "second")
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect([times.length, (await readdir(directory)).length]).toEqual([count, 1])
  await cleaning.stop()
})

it("tells of a failure and tries again", async () => {
  const directory = join(await testDirectory({ "a file": "" }), "a file")
  const errors: unknown[] = []
  const { promise: second, resolve } = Promise.withResolvers<void>()
  const cleaning = startOutputCleaning({
    ...{ directory, delay: 1, interval: 1 },
    onError(error) {
      if (errors.push(error) === 2) resolve()
    },
  })
  await second
  await cleaning.stop()
  expect(String(errors[1])).toContain("ENOTDIR")
})

it("does not keep the process alive", async () => {
  const program = `
    const { startOutputCleaning } = await import(process.argv[1])
    startOutputCleaning({ directory: process.argv[2], delay: 3_600_000 })
    console.log("done")`
  const entry = new URL("output-cleaning.ts", import.meta.url).href
  const flags = ["--conditions=@pawl/source", "--input-type=module", "--eval", program]
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, entry, "/nowhere"])
  expect(stdout).toBe("done\n")
})
