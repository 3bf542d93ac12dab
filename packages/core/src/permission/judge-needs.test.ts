import * as fc from "fast-check"
import { expect, it } from "vitest"
import { askingWorld } from "../../test/asking.ts"
import type { PermissionNeed } from "../contracts/tool.ts"
import { judgeNeeds } from "./judge-needs.ts"
import type { PermissionScope, ScopedRule } from "./rules.ts"

const rule: fc.Arbitrary<ScopedRule> = fc.record({
  permission: fc.constantFrom("*", "bash", "edit"),
  pattern: fc.constantFrom("*", "a", "a*", "b"),
  action: fc.constantFrom("allow" as const, "ask" as const, "deny" as const),
})
const scopes: fc.Arbitrary<PermissionScope[]> = fc.array(
  fc.record({ name: fc.constant("scope"), rules: fc.array(rule, { maxLength: 3 }) }),
  { minLength: 1, maxLength: 3 },
)
const needs: fc.Arbitrary<PermissionNeed[]> = fc.array(
  fc.record({
    permission: fc.constantFrom("bash", "edit"),
    patterns: fc.array(fc.constantFrom("a", "b", "ab"), { minLength: 1, maxLength: 2 }),
  }),
  { maxLength: 4 },
)
const approvals = fc.array(
  fc.record({
    ...{ agent: fc.constant("build"), permission: fc.constantFrom("bash", "edit") },
    ...{ pattern: fc.constantFrom("a", "b"), time: fc.constant({ created: 1 }) },
  }),
  { maxLength: 3 },
)

it("says before a call what becomes of it where a person can be asked, and where nobody can", async () => {
  const seen = { allow: 0, ask: 0, deny: 0 }
  await fc.assert(
    fc.asyncProperty(scopes, needs, approvals, async (given, asked, approved) => {
      const { action } = judgeNeeds({ rules: { scopes: given }, agent: "build", approvals: approved }, asked)
      seen[action]++
      let questions = 0
      const ask = async () => (questions++, "once" as const)
      for (const people of [{}, { ask }]) {
        questions = 0
        const world = await askingWorld({ scopes: given, ...people })
        await world.storage.commit(world.session.id, [{ type: "session.patch", changes: { approvals: approved } }])
        const outcome = await world.authorize(...asked)
        const isAsked = "ask" in people ? questions > 0 : (outcome as { decidedBy?: string }).decidedBy === "asked"
        const isDenied = (outcome as { decidedBy?: string }).decidedBy === "rule"
        expect([outcome === "allowed" && !isAsked, isAsked, isDenied]).toEqual([
          ...[action === "allow", action === "ask", action === "deny"],
        ])
      }
    }),
    { numRuns: 300, seed: 9 },
  )
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(20)
})

it("names the first of the strictest needs", () => {
  const rules = { scopes: [{ name: "a", rules: [{ permission: "edit", pattern: "*", action: "deny" as const }] }] }
  const need = (permission: string, pattern: string) => ({ permission, patterns: [pattern] })
  const judge = { rules, agent: "build", approvals: [] }
  expect(judgeNeeds(judge, [need("bash", "a"), need("edit", "b"), need("edit", "c")])).toMatchObject({
    action: "deny",
    decisive: { need: need("edit", "b") },
    needs: [{ action: "ask" }, { action: "deny" }, { action: "deny" }],
  })
  expect(judgeNeeds(judge, [])).toEqual({ action: "allow", needs: [] })
})
