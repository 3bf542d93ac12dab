import { expect, it } from "vitest"
import { actionsByKey } from "./key-table.ts"

it("replaces the default keys of an action with those of the user", () => {
  const actions = actionsByKey({ interrupt: ["ctrl+g"], fold: [] })

  expect(actions.get("ctrl+g")).toBe("interrupt")
  expect(actions.get("escape")).toBeUndefined()
  expect(actions.get("ctrl+o")).toBeUndefined()
  expect(actions.get("enter")).toBe("send")
})

it("gives a key of the user to the user's action", () => {
  expect(actionsByKey({ interrupt: ["ctrl+d"] }).get("ctrl+d")).toBe("interrupt")
})
