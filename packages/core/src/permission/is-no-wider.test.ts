import { expect, it } from "vitest"
import { builtinAgents, planAgent } from "../agents/agent.ts"
import { isNoWider } from "./is-no-wider.ts"
import type { PermissionScope } from "./rules.ts"
import type { PermissionAction } from "../record/message.ts"

const own = (agent: string, action: PermissionAction, more: Partial<PermissionScope> = {}): PermissionScope => {
  return { name: agent, agent, rules: [{ permission: "bash", pattern: "*", action }], ...more }
}
const strictPlan = { ...planAgent, name: "strict", readsUnasked: false }
const agents = new Map(
  [...builtinAgents, { name: "lead" }, { name: "careful" }, strictPlan].map((agent) => [agent.name, agent]),
)
const permission = [
  own("lead", "allow"),
  own("careful", "ask"),
  own("general", "allow", { onlyTightens: true }),
  { name: "all", rules: [{ permission: "*", pattern: "*", action: "ask" as const }] },
]

it.each<[boolean, string, string]>([
  [true, "build", "build"],
  [true, "plan", "build"],
  [true, "careful", "build"],
  [true, "general", "build"],
  [true, "explore", "lead"],
  [false, "lead", "build"],
  [false, "build", "plan"],
  [false, "build", "careful"],
  [false, "careful", "plan"],
  [true, "strict", "plan"],
  [false, "plan", "strict"],
  [false, "gone", "build"],
  [false, "gone", "gone"],
  [false, "build", "gone"],
])("%s that %s may do no more than %s", (expected, name, other) => {
  expect(isNoWider({ agents, permission }, name, other)).toBe(expected)
})
