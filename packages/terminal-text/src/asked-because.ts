import type { Agent } from "@pawl/core"
import type { PermissionRequest } from "@pawl/core/host"
import { decidePermission, permissionRules, type PermissionScope } from "@pawl/core/permission"
import { readAncestors } from "@pawl/core/record"
import type { Storage } from "@pawl/core/storage"
import { foreignLine } from "./foreign-lines.ts"

export interface AskedBecauseOptions {
  readonly storage: Pick<Storage, "getSession">
  readonly agents: ReadonlyMap<string, Agent>
  /** Permission scopes of the configuration. */
  readonly scopes: readonly PermissionScope[]
}

/** Describes the rule that requires the question. Undefined if only a default does, or if the call is unclear. */
export async function askedBecause(
  { sessionID, permission, patterns, metadata }: PermissionRequest,
  { storage, agents, scopes }: AskedBecauseOptions,
): Promise<string | undefined> {
  const session = await storage.getSession(sessionID)
  if (!session || metadata["unclear"] !== undefined) return undefined
  const name = session.agent ?? "build"
  const above = await readAncestors(storage, session)
  const rules = permissionRules({ agents, permission: scopes }, agents.get(name) ?? { name }, session, above)
  const { rule, scope, file, line, ceiling } = decidePermission(rules, { permission, patterns })
  const binds = ceiling === undefined ? "" : `, which binds the agent ${foreignLine(ceiling)} above`
  if (!rule || (scope === "defaults" && binds === "")) return undefined
  const location = file === undefined ? "" : `, ${foreignLine(file)}${line === undefined ? "" : `:${line}`}`
  return `asked by ${foreignLine(rule.permission)} ${JSON.stringify(foreignLine(rule.pattern))} of ${foreignLine(scope ?? "")}${location}${binds}`
}
