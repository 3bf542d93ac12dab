import { setTimeout as delay } from "node:timers/promises"
import { expect, it } from "vitest"
import { createPatience } from "./patience.ts"

it("ends when nothing is heard, and never for 0", async () => {
  let late = 0
  createPatience(10, () => late++)
  createPatience(0, () => (late += 100))
  await delay(60)
  expect(late).toBe(1)
})

it("waits on while it is held, as often as it is", async () => {
  let late = 0
  const patience = createPatience(10, () => late++)
  const releases = [patience.hold(), patience.hold()]
  await delay(40)
  releases[0]?.()
  releases[0]?.()
  patience.touch()
  await delay(40)
  expect(late).toBe(0)

  releases[1]?.()
  await delay(40)
  expect(late).toBe(1)
})

it("does not come back after its end", async () => {
  let late = 0
  const patience = createPatience(10, () => late++)
  patience.end()
  patience.touch()
  await delay(40)
  expect(late).toBe(0)
})
