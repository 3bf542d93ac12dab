import * as fc from "fast-check"
import { expect, it } from "vitest"
import type { PermissionNeed } from "../contracts/tool.ts"
import { isApproved } from "./approvals.ts"
import { decidePermission, type PermissionRules, type PermissionScope, type ScopedRule } from "./rules.ts"
import { permissionRules } from "./scopes.ts"

const permission = fc.constantFrom("*", "bash", "edit", "protected_file", "protected_*")
const glob = fc.constantFrom("*", "**", "a", "a*", "b", "?", "ab", "git *", "git*")
const word = fc.constantFrom("a", "b", "ab", "git", "git push", "")
const action = fc.constantFrom("allow" as const, "ask" as const, "deny" as const)
const rule: fc.Arbitrary<ScopedRule> = fc.record({ permission, pattern: glob, action })
const delegation = fc.record({ permission, pattern: glob })
const ruleList = fc.array(rule, { maxLength: 4 })
const scope: fc.Arbitrary<PermissionScope> = fc
  .record({
    rules: ruleList,
    onlyTightens: fc.boolean(),
    isDefault: fc.boolean(),
    except: fc.array(delegation, { maxLength: 2 }),
    source: fc.constantFrom(undefined, "a", "b"),
  })
  .map(({ source, ...of }) => ({ name: "scope", ...(source === undefined ? {} : { source }), ...of }))
const scopes = fc.array(scope, { maxLength: 4 })
const ceiling = fc.record({ agent: fc.constantFrom("build", "plan"), scopes })
const rules: fc.Arbitrary<PermissionRules> = fc.record({ scopes, ceilings: fc.array(ceiling, { maxLength: 3 }) })
const query = fc.record({
  permission: fc.constantFrom("bash", "edit", "protected_file"),
  patterns: fc.array(word, { maxLength: 3 }),
  unclear: fc.option(fc.constant("The command cannot be parsed."), { nil: undefined }),
})
const strictness = { allow: 0, ask: 1, deny: 2 }
const decided = (given: PermissionRules, asked: Parameters<typeof decidePermission>[1]) => {
  return strictness[decidePermission(given, asked).action]
}

/** Every list of rules of `given`, each with `added` put in at some place. */
function* withRule(given: PermissionRules, added: ScopedRule): Generator<PermissionRules> {
  const put = function* (list: readonly PermissionScope[]): Generator<PermissionScope[]> {
    for (const [at, each] of list.entries()) {
      for (let place = 0; place <= each.rules.length; place++) {
        yield list.with(at, { ...each, rules: each.rules.toSpliced(place, 0, added) })
      }
    }
  }
  for (const changed of put(given.scopes)) yield { ...given, scopes: changed }
  const ceilings = given.ceilings ?? []
  for (const [at, each] of ceilings.entries()) {
    for (const changed of put(each.scopes))
      yield { ...given, ceilings: ceilings.with(at, { ...each, scopes: changed }) }
  }
}

it("a deny that is added anywhere turns nothing into allow", () => {
  fc.assert(
    fc.property(rules, query, permission, glob, (given, asked, of, pattern) => {
      const isAllowed = decided(given, asked) === 0
      const changed = [...withRule(given, { permission: of, pattern, action: "deny" })]
      const isWidened = !isAllowed && changed.some((each) => decided(each, asked) === 0)
      expect(isWidened).toBe(false)
    }),
    { numRuns: 400, seed: 1 },
  )
})

it("a ceiling that is added widens nothing", () => {
  fc.assert(
    fc.property(rules, query, ceiling, (given, asked, added) => {
      const ceilings = given.ceilings ?? []
      for (let at = 0; at <= ceilings.length; at++) {
        const changed = { ...given, ceilings: ceilings.toSpliced(at, 0, added) }
        expect(decided(changed, asked)).toBeGreaterThanOrEqual(decided(given, asked))
      }
    }),
    { numRuns: 800, seed: 2 },
  )
})

it("a deny of a scope without exceptions wins, wherever it stands and whatever is added", () => {
  fc.assert(
    fc.property(rules, scope, query, fc.nat(4), (given, added, asked, at) => {
      const denies: PermissionScope = {
        name: "denies",
        rules: [...added.rules, { permission: asked.permission, pattern: "*", action: "deny" }],
      }
      expect(decided({ ...given, scopes: given.scopes.toSpliced(at, 0, denies) }, asked)).toBe(strictness.deny)
      const above = { agent: "build", scopes: [denies] }
      expect(decided({ ...given, ceilings: [...(given.ceilings ?? []), above] }, asked)).toBe(strictness.deny)
    }),
    { numRuns: 400, seed: 3 },
  )
})

it("a scope of one source lifts no deny of another", () => {
  fc.assert(
    fc.property(fc.array(scope, { maxLength: 3 }), scope, query, (given, added, asked) => {
      const others = given.map((each) => ({ ...each, source: "theirs" }))
      if (decided({ scopes: others }, asked) !== strictness.deny) return
      const own = { ...added, source: "own" }
      expect(decided({ scopes: [...others, own] }, asked)).toBe(strictness.deny)
      expect(decided({ scopes: [own, ...others] }, asked)).toBe(strictness.deny)
    }),
    { numRuns: 800, seed: 8 },
  )
})

it("the order of patterns changes nothing, and neither does one that is there twice", () => {
  fc.assert(
    fc.property(rules, query, (given, asked) => {
      const { patterns } = asked
      const action = decided(given, asked)
      expect(decided(given, { ...asked, patterns: patterns.toReversed() })).toBe(action)
      expect(decided(given, { ...asked, patterns: [...patterns, ...patterns] })).toBe(action)
    }),
    { numRuns: 800, seed: 4 },
  )
})

it("what is unclear is never decided more freely than the same understood", () => {
  fc.assert(
    fc.property(rules, query, (given, { permission: asked, patterns }) => {
      const clear = decided(given, { permission: asked, patterns })
      const unclear = decided(given, { permission: asked, patterns, unclear: "It cannot be parsed." })
      expect(unclear).toBeGreaterThanOrEqual(clear)
      if (clear === strictness.deny) expect(unclear).toBe(strictness.deny)
    }),
    { numRuns: 800, seed: 5 },
  )
})

it("approvals beat no deny, and what nobody approved stays to be asked", () => {
  const approvals = fc.array(
    fc.record({
      agent: fc.constantFrom("build", "plan"),
      permission: fc.constantFrom("bash", "edit"),
      pattern: fc.oneof(word, glob),
      ...{ glob: fc.constantFrom(false, true) },
      time: fc.constant({ created: 1 }),
    }),
    { maxLength: 4 },
  )
  const need: fc.Arbitrary<PermissionNeed> = fc
    .tuple(query, fc.array(glob, { maxLength: 2 }))
    .map(([{ permission: of, patterns, unclear }, always]) => {
      return { permission: of, patterns, always, ...(unclear === undefined ? {} : { unclear }) }
    })
  fc.assert(
    fc.property(rules, need, approvals, (given, asked, approved) => {
      const action = decided(given, asked)
      const isCovered = isApproved(approved, "build", given, asked)
      const all = asked.patterns.map((pattern) => ({ ...asked, agent: "build", pattern, time: { created: 1 } }))
      if (action === strictness.deny) expect(isApproved([...approved, ...all], "build", given, asked)).toBe(false)
      const { always = asked.patterns, patterns, unclear } = asked
      if (action === strictness.ask && patterns.length > 0 && always.length > 0 && unclear === undefined) {
        expect(isApproved([...approved, ...all], "build", given, asked)).toBe(true)
      }
      if (action > 0 && always.length === 0) {
        expect(isApproved([...approved, ...all], "build", given, asked)).toBe(false)
      }
      const own = approved.filter((each) => each.agent === "build" && each.permission === asked.permission)
      if (action > 0 && own.length === 0) expect(isCovered).toBe(false)
      if (asked.patterns.length === 0) expect(isCovered).toBe(false)
    }),
    { numRuns: 800, seed: 6 },
  )
})

it("what an agent delegates lifts its own rules, and no deny of the configuration or of a session", () => {
  fc.assert(
    fc.property(ruleList, ruleList, ruleList, delegation, query, (own, configured, session, delegated, asked) => {
      const parent = { name: "build", permission: own, delegates: [delegated] }
      const agents = new Map([["build", parent]])
      const permission = [{ name: "configuration", rules: configured }]
      const delegation = { agent: "build", messageID: "msg_1", callID: "call_1" } as const
      const bound = (agent: typeof parent) => {
        return permissionRules(
          { agents: new Map([["build", agent]]), permission },
          { name: "explore" },
          { delegation },
          [{ permission: session }],
        )
      }
      const with_ = permissionRules({ agents, permission }, { name: "explore" }, { delegation }, [
        { permission: session },
      ])
      const withoutOwn = bound({ ...parent, permission: [], delegates: [] as never })
      // With all of the parent's own rules gone, the configuration and the session still hold.
      if (decided(withoutOwn, asked) === strictness.deny) expect(decided(with_, asked)).toBe(strictness.deny)
      // Delegating widens nothing beyond the agent's own rules.
      const undelegated = decided(bound({ ...parent, delegates: [] as never }), asked)
      expect(decided(with_, asked)).toBeLessThanOrEqual(undelegated)
    }),
    { numRuns: 800, seed: 7 },
  )
})
