import { decodeTime } from "ulid"
import { describe, expect, it } from "vitest"
import { seeded } from "../../test/seeded.ts"
import { createIDSource, isSessionID, type MessageID } from "./ids.ts"

const noon = Date.UTC(2026, 0, 1, 12)
const hour = 3_600_000
const count = 10_000

/** What the clock shows at its n-th reading. */
const clocks: [string, (reading: number) => number][] = [
  ["stands still", () => noon],
  ["jumps back an hour", (n) => (n < count / 2 ? noon : noon - hour)],
  ["jumps a day ahead and back", (n) => (n > count / 3 && n < count / 2 ? noon + 24 * hour : noon)],
  ["jumps to and fro", (n) => noon + ((n * 7919) % 1000) * hour],
  ["runs fast", (n) => noon + n * 60],
]

describe.each(clocks)("with a clock that %s", (_name, clock) => {
  const source = () => {
    let reading = 0
    return createIDSource(() => clock(reading++))
  }

  it.each(["message", "part"] as const)("makes 10,000 %s ids, each behind the one before", (kind) => {
    const ids = source()
    expect(firstNotAscending(Array.from({ length: count }, () => ids[kind]()))).toBeUndefined()
  })

  it("makes 10,000 session ids, each before the one before", () => {
    const ids = source()
    expect(firstNotAscending(Array.from({ length: count }, () => ids.session()).toReversed())).toBeUndefined()
  })
})

it.each([
  ["of a monotonic timer, with fractions,", noon + 0.4321, noon],
  ["at the beginning of time", 0, 1],
  ["before it", -hour, 1],
  ["that is broken", Number.NaN, 1],
  ["that never ends", Number.POSITIVE_INFINITY, 1],
  ["before all time", Number.NEGATIVE_INFINITY, 1],
  ["beyond what an id can tell", 2 ** 48, 1],
])("takes a clock %s at its word", (_what, time, expected) => {
  const ids = createIDSource(() => time)
  const made = [ids.message(), ids.message(), ids.message(ids.message())]

  expect(made.map((id) => decodeTime(id.slice(4)) - expected)).toEqual([0, 0, 1])
  expect(firstNotAscending(made)).toBeUndefined()
})

it("sorts a message behind `after`, whatever its own clock says, and those that follow too", () => {
  const elsewhere = createIDSource(() => noon + 24 * hour)
  const ids = createIDSource(() => noon)
  const before = ids.message()
  const after = elsewhere.message()
  const behind = ids.message(after)
  const next = ids.message()

  expect([next, behind, after, before].toSorted()).toEqual([before, after, behind, next])
})

it("sorts a part behind `after` of the same millisecond", () => {
  for (let n = 0; n < 100; n++) {
    const after = createIDSource(() => noon).part()
    expect(createIDSource(() => noon).part(after) > after).toBe(true)
  }
})

it("does not fall back to the time of an older `after`", () => {
  const old = createIDSource(() => noon - hour).message()
  const sameMoment = createIDSource(() => noon).message()

  expect(
    createIDSource(() => noon)
      .message(old)
      .slice(0, 14),
  ).toBe(sameMoment.slice(0, 14))
})

describe("behind an id of another program", () => {
  const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
  const digits = (length: number, random: () => number) => {
    return Array.from({ length }, () => base62[Math.floor(random() * 62)]).join("")
  }

  it.each<MessageID>([
    "msg_1",
    "msg_zzzzzzzzzzzzzzzzzzzzzzzzzz",
    "msg_b5f3c01a2001AbCdEfGhIjKlMn",
    "msg_01abc",
    "msg_zz",
    // The last moment that an id can tell.
    "msg_7ZZZZZZZZZ0000000000000000",
  ])("%s, sorts a new one and those that follow", (foreign) => {
    const ids = createIDSource(() => noon)
    let last = foreign
    for (let n = 0; n < 5; n++) {
      const next = ids.message(last)
      expect(next > last).toBe(true)
      last = next
    }
    // It does not grow with each id that follows.
    expect(last.length).toBeLessThan(70)
  })

  it("sorts a new one, whatever that id is made of", () => {
    const random = seeded(7)
    const ids = createIDSource(() => noon)
    const foreign = Array.from(
      { length: 20_000 },
      (): MessageID => `msg_${digits(1 + Math.floor(random() * 30), random)}`,
    )
    expect(foreign.find((id) => ids.message(id) <= id)).toBeUndefined()
  })

  it("goes on behind what another process made from it later", () => {
    const foreign = "msg_b5f3c01a2001AbCdEfGhIjKlMn"
    const later = createIDSource(() => noon + hour).message(foreign)
    expect(createIDSource(() => noon).message(later) > later).toBe(true)
  })
})

it("names the kind in the prefix", () => {
  const ids = createIDSource(() => noon)
  const made = [ids.session(), ids.message(), ids.part(), ids.other("per")]

  expect(made.map((id) => id.slice(0, 4))).toEqual(["ses_", "msg_", "prt_", "per_"])
  expect(new Set(made.map((id) => id.length))).toEqual(new Set([30]))
})

it.each([
  [createIDSource(() => noon).session(), true],
  ["ses_1", true],
  ["ses_", false],
  ["msg_1", false],
  ["ses_../../etc/passwd", false],
  ["ses_a\n", false],
  [`ses_${"a".repeat(65)}`, false],
])("knows whether %j is a session id", (text, expected) => {
  expect(isSessionID(text)).toBe(expected)
})

function firstNotAscending(ids: readonly string[]): string | undefined {
  return ids.find((id, n) => n > 0 && id <= (ids[n - 1] as string))
}
