import { expect, it } from "vitest"
import { daysBetween, localDay, localHour, startOfDays } from "./days.ts"

const noon = new Date(2026, 2, 1, 12).getTime()

it("names days and hours as people here count them", () => {
  expect(localDay(noon)).toBe("2026-03-01")
  expect(localHour(noon)).toBe("2026-03-01 12h")
})

it.each([Number.NaN, 1e308, -1e308, 8.64e15 + 1])("has no name for the day of %d", (time) => {
  expect([localDay(time), localHour(time)]).toEqual(["no date", "no date"])
})

it("counts days back over the ends of months, today included", () => {
  expect(localDay(startOfDays(noon, 1))).toBe("2026-03-01")
  expect(new Date(startOfDays(noon, 3)).getHours()).toBe(0)
  expect(localDay(startOfDays(noon, 3))).toBe("2026-02-27")
})

it("lists all days between two, the last ones where there are more than are wanted", () => {
  expect(daysBetween("2026-02-27", "2026-03-01", 30)).toEqual(["2026-02-27", "2026-02-28", "2026-03-01"])
  expect(daysBetween("2026-02-01", "2026-03-01", 2)).toEqual(["2026-02-28", "2026-03-01"])
  expect(daysBetween("2026-03-01", "2026-03-01", 5)).toEqual(["2026-03-01"])
})
