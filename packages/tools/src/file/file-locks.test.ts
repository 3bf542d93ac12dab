import { expect, it } from "vitest"
import { createFileLocks } from "./file-locks.ts"

it("runs the work on one file one after another, in order of arrival, also after a failure", async () => {
  const locks = createFileLocks()
  const steps: string[] = []
  const work = (name: string) => async () => {
    steps.push(`${name} starts`)
    await new Promise((resolve) => setImmediate(resolve))
    steps.push(`${name} ends`)
    if (name === "a") throw new Error("a failed")
    return name
  }
  const turns = await Promise.allSettled([
    locks.run("/f", work("a")),
    locks.run("/f", work("b")),
    locks.run("/f", work("c")),
  ])
  expect(steps).toEqual(["a starts", "a ends", "b starts", "b ends", "c starts", "c ends"])
  expect(turns.map((turn) => turn.status)).toEqual(["rejected", "fulfilled", "fulfilled"])
})

it("does not make other files wait", async () => {
  const locks = createFileLocks()
  const first = Promise.withResolvers<void>()
  const held = locks.run("/a", () => first.promise)
  expect(await locks.run("/b", async () => "done")).toBe("done")
  first.resolve()
  await held
})
