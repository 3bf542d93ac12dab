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

/**
 * Returns the patterns that an answer of `always` to the need allows: the tool's proposals, or exactly the requested
 * patterns. Empty: `always` is not possible.
 */
export function offeredApprovals({ patterns, always, unclear }: PermissionNeed): readonly string[] {
  // An unclear call may do something else the next time: only its own pattern can be approved, if the tool allows that.
  if (unclear !== undefined) return (always ?? []).filter((pattern) => patterns.includes(pattern))
  return always ?? patterns
}

/**
 * Returns whether each pattern is allowed by a rule or by an approval for the agent in the need's directory: an
 * approval of the same pattern, of a wider one that the tool proposes again, or of one that the user wrote. No approval
 * overrides a deny, or covers a need without possible approvals.
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
  const own = approvals.filter((each) => {
    return each.agent === agent && each.permission === permission && each.directory === directory
  })
  const approved = new Set(own.filter(({ glob }) => !glob).map(({ pattern }) => normal(pattern)))
  const written = unclear === undefined ? own.filter(({ glob }) => glob).map(({ pattern }) => pattern) : []
  const proposed = unclear === undefined ? (need.always ?? []).filter((pattern) => approved.has(normal(pattern))) : []
  const isCovered = (pattern: string) => {
    const mayStand = unclear === undefined || offered.includes(pattern)
    if (mayStand && approved.has(normal(pattern))) return true
    if ([...written, ...proposed].some((wide) => matchesAllowed(permission, pattern, wide))) return true
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
 * Adds approvals to the tree below the root, one edit after another, and under the root's lease unless this engine runs
 * it, so that no approval replaces another. Resolves with all approvals once they are stored.
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
  return (["agent", "permission", "pattern", "glob", "directory"] as const).every((key) => one[key] === other[key])
}

export async function readApprovals(
  { storage }: { readonly storage: Pick<Storage, "getSession"> },
  rootSessionID: SessionID,
): Promise<readonly Approval[]> {
  return (await storage.getSession(rootSessionID))?.approvals ?? []
}
