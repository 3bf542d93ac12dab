import type { SessionID } from "../base/ids.ts"
import type { Session } from "../record/message.ts"
import { type EditDeps, editSession } from "../store/edit.ts"
import { writeSession } from "../store/write.ts"
import type { JournalDeps } from "../store/journal.ts"
import type { Lease, Storage } from "../contracts/storage.ts"
import type { PermissionNeed } from "../contracts/tool.ts"
import { matchesAllowed } from "../base/patterns.ts"
import { decidePermission, type PermissionRules } from "./rules.ts"

export type Approval = NonNullable<Session["approvals"]>[number]

/** What an answer of `always` to the need allows: what the tool proposes, or exactly what was asked. Empty: none can be given. */
export function offeredApprovals({ patterns, always, unclear }: PermissionNeed): readonly string[] {
  // What is not understood may be another thing the next time: it stands for itself, and only where the tool says so.
  if (unclear !== undefined) return (always ?? []).filter((pattern) => patterns.includes(pattern))
  return always ?? patterns
}

/**
 * Whether each pattern is allowed by a rule or by what was approved for the agent, in the same directory where it says
 * one: by its very words, or by a pattern that the tool proposes for it again. No approval beats a deny, nor stands for
 * what cannot be allowed for good.
 */
export function isApproved(
  approvals: readonly Approval[],
  agent: string,
  rules: PermissionRules,
  need: PermissionNeed,
): boolean {
  const { permission, patterns, unclear, directory } = need
  const offered = offeredApprovals(need)
  if (approvals.length === 0 || patterns.length === 0 || offered.length === 0) return false
  if (decidePermission(rules, need).action === "deny") return false
  const approved = new Set(
    approvals
      .filter((each) => each.agent === agent && each.permission === permission && each.directory === directory)
      .map(({ pattern }) => normal(pattern)),
  )
  const proposed = unclear === undefined ? (need.always ?? []).filter((pattern) => approved.has(normal(pattern))) : []
  const isCovered = (pattern: string) => {
    const mayStand = unclear === undefined || offered.includes(pattern)
    if (mayStand && approved.has(normal(pattern))) return true
    if (proposed.some((wide) => matchesAllowed(permission, pattern, wide))) return true
    return decidePermission(rules, { ...need, patterns: [pattern] }).action === "allow"
  }
  return patterns.every(isCovered)
}

function normal(pattern: string): string {
  return pattern.normalize("NFC")
}

export interface ApprovalDeps extends JournalDeps, EditDeps {
  readonly storage: Storage
}

/**
 * Adds to what is approved in the tree below the root. In turn, and under the root's lease where nobody works on it, so
 * that no approval replaces another; resolves with all of them once they are stored.
 */
export function addApprovals(
  deps: ApprovalDeps,
  rootSessionID: SessionID,
  added: readonly Omit<Approval, "time">[],
): Promise<readonly Approval[]> {
  return editSession(deps, rootSessionID, "approve", (lease) => add(deps, rootSessionID, added, lease))
}

async function add(
  deps: ApprovalDeps,
  rootSessionID: SessionID,
  added: readonly Omit<Approval, "time">[],
  lease: Lease | undefined,
): Promise<readonly Approval[]> {
  const known = await readApprovals(deps, rootSessionID)
  const time = { created: deps.now() }
  const fresh = added.filter((one) => !known.some((other) => isSame(one, other))).map((one) => ({ ...one, time }))
  if (fresh.length === 0) return known
  const approvals = [...known, ...fresh]
  await writeSession(deps, rootSessionID, [{ type: "session.patch", changes: { approvals } }], lease)
  return approvals
}

function isSame(one: Omit<Approval, "time">, other: Approval): boolean {
  return (["agent", "permission", "pattern", "directory"] as const).every((key) => one[key] === other[key])
}

export async function readApprovals(
  { storage }: { readonly storage: Pick<Storage, "getSession"> },
  rootSessionID: SessionID,
): Promise<readonly Approval[]> {
  return (await storage.getSession(rootSessionID))?.approvals ?? []
}
