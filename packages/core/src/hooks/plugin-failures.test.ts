import { expect, it } from "vitest"
import { createPluginFailures } from "./plugin-failures.ts"

it("counts a hook's failures until it works again", () => {
  const failures = createPluginFailures()
  expect([failures.add("ses_1", "event"), failures.add("ses_1", "event")]).toEqual([false, false])
  failures.clear("ses_1", "event")
  expect(failures.has("ses_1", "event")).toBe(false)
  expect([failures.add("ses_1", "event"), failures.add("ses_1", "event")]).toEqual([false, false])
  expect(failures.add("ses_1", "event")).toBe(true)
})

it("leaves a plugin disabled for good, though a call that was under way still succeeds", () => {
  const failures = createPluginFailures()
  for (const hook of ["event", "event", "text.complete"]) failures.add("ses_1", hook)
  expect(failures.isDisabled("ses_1")).toBe(true)

  failures.clear("ses_1", "event")
  failures.clear("ses_1", "text.complete")

  expect(failures.isDisabled("ses_1")).toBe(true)
  expect([failures.has("ses_1", "event"), failures.has("ses_1", "text.complete")]).toEqual([true, true])
  expect(failures.add("ses_1", "event")).toBe(false)
})

it("counts nothing that belongs to no session", () => {
  const failures = createPluginFailures()
  for (let n = 0; n < 5; n++) expect(failures.add(undefined, "dispose")).toBe(false)
  expect(failures.isDisabled(undefined)).toBe(false)
})
