import { decidePermission, permissionRules } from "@pawl/core"
import { expect, it } from "vitest"
import { isGuardedFile } from "./guarded-file.ts"

it.each([
  ".env",
  "app/.env",
  ".env.local",
  "prod.env",
  "a/prod.env.old",
  ".env.example",
  "app/.env.example",
  "env.ts",
  "a.environment",
])("is for %s what the defaults ask about before it is read", (path) => {
  const rules = permissionRules({ permission: [], agents: new Map() }, { name: "build" }, { permission: [] }, [])
  const { action } = decidePermission(rules, { permission: "read", patterns: [path] })
  expect(isGuardedFile(path)).toBe(action === "ask")
})

it("goes by the name however it is written", () => {
  expect(isGuardedFile("app/.ENV")).toBe(true)
})
