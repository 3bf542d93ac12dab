import { expect, it } from "vitest"
import { permissionRules } from "./permission-rules.ts"

it("lists rules in the order they are written, and asks for the line of each", () => {
  expect(permissionRules(undefined)).toEqual([])
  expect(permissionRules("ask")).toEqual([{ permission: "*", pattern: "*", action: "ask" }])
  const asked: unknown[] = []
  const rules = permissionRules({ edit: "deny", bash: { "*": "ask", "git *": "allow" } }, (path) => {
    asked.push(path)
    return path.length === 1 ? 3 : undefined
  })
  expect(asked).toEqual([["edit"], ["bash", "*"], ["bash", "git *"]])
  expect(rules).toEqual([
    { permission: "edit", pattern: "*", action: "deny", line: 3 },
    { permission: "bash", pattern: "*", action: "ask" },
    { permission: "bash", pattern: "git *", action: "allow" },
  ])
})
