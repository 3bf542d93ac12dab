import { expect, it } from "vitest"
import { createTokenLife } from "./token-life.ts"

const HOUR = 3_600_000
const tokens = { access: "a", obtained: 1000 * HOUR, expires: 1001 * HOUR }

function lifeOn(clock: { wall: number; elapsed: number }) {
  return createTokenLife({ now: () => clock.wall, elapsed: () => clock.elapsed })
}

it("is due at 80 % of the lifetime", () => {
  const clock = { wall: tokens.obtained + 0.8 * HOUR - 1, elapsed: 0 }
  expect(lifeOn(clock).isDue(tokens)).toBe(false)
  clock.wall++
  expect(lifeOn(clock).isDue(tokens)).toBe(true)
})

it("is never due where nobody says when it ends", () => {
  expect(lifeOn({ wall: 9e15, elapsed: 9e15 }).dueIn({ access: "a", obtained: 0 })).toBeUndefined()
})

it("is due in time though the clock is set back meanwhile", () => {
  const clock = { wall: tokens.obtained, elapsed: 0 }
  const life = lifeOn(clock)
  expect(life.dueIn(tokens)).toBe(0.8 * HOUR)
  clock.wall -= 30_000
  clock.elapsed = 0.8 * HOUR
  expect(life.isDue(tokens)).toBe(true)
})

it("is due in time though the machine slept, when no time seemed to pass", () => {
  const clock = { wall: tokens.obtained, elapsed: 0 }
  const life = lifeOn(clock)
  expect(life.isDue(tokens)).toBe(false)
  clock.wall += HOUR
  expect(life.isDue(tokens)).toBe(true)
})

it("is due when it comes from the future", () => {
  expect(lifeOn({ wall: tokens.obtained - 2 * HOUR, elapsed: 0 }).isDue(tokens)).toBe(true)
})

it("allows clocks of two machines to differ a little", () => {
  expect(lifeOn({ wall: tokens.obtained - 30_000, elapsed: 0 }).isDue(tokens)).toBe(false)
})
