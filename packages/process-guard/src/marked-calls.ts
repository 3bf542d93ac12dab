import { currentProcess, type ProcessIdentity } from "@pawl/storage-kit"
import { endLeft, type Left } from "./end-left.ts"
import { DEFAULT_GRACE, type Guardian } from "./guardian.ts"
import { markFor, type Variables } from "./marks.ts"
import { callMark, callName, callOfMark, isOwnerName, lifeOfOwner, ownerName, ownerOfMark } from "./owner.ts"
import type { OwnerFiles } from "./owner-files.ts"
import { createProcessTable, type ProcessTable } from "./process-table.ts"
import { type StartedGroup, toStartedGroup } from "./started-group.ts"

/**
 * Marks the processes that calls start with the call and with this process, so that another process of the same host
 * can end them once this one is dead.
 */
export interface MarkedCalls {
  /** Names this process. Stored with a call, it proves where the call ran. */
  readonly owner: string
  /** The variables that mark what a call starts, which ends with this process until `release`. `key` names the call. */
  mark(key: string): { readonly env: Readonly<Record<string, string>>; release(): void }
  /**
   * Ends what dead processes of this host left: of these calls, and everything of those that `owners` tells of. Resolves
   * with the keys of calls that ran on this host and of which nothing runs any more. Leaves alone what belongs to a process
   * that may live.
   */
  endLeft(calls: readonly LeftCall[]): Promise<ReadonlySet<string>>
}

export interface LeftCall {
  readonly key: string
  /** The process that ran it last, as `owner` names it; absent if that was not stored. */
  readonly owner?: string | undefined
}

export interface MarkedCallsOptions {
  readonly guardian: Guardian
  /** Milliseconds from SIGTERM to SIGKILL; 0: no SIGKILL. Default: 1000. */
  readonly grace?: number | undefined
  /** What this process belongs to, and so its calls do. Default: its own environment. */
  readonly environment?: Variables
  /** Where processes say that they may leave something. Absent: only what calls left is ended. */
  readonly owners?: OwnerFiles | undefined
  readonly self?: ProcessIdentity
  readonly table?: ProcessTable
}

export function createMarkedCalls(options: MarkedCallsOptions): MarkedCalls {
  const { guardian, grace = DEFAULT_GRACE, environment = process.env, owners, self = currentProcess() } = options
  const { table = createProcessTable() } = options
  const owner = ownerName(self)
  const isDead = (name: string) => lifeOfOwner(name, self) === "dead"
  const end = (left: Left) => endLeft({ table, self, grace }, left)

  /** Of those alone that are certainly dead. Resolves with the groups that they had. */
  async function endOwners(): Promise<readonly StartedGroup[]> {
    const files = (owners?.list() ?? []).flatMap((name) => {
      const group = toStartedGroup(name)
      return group || isOwnerName(name) ? [{ name, group, owner: group?.owner ?? name }] : []
    })
    const lives = Map.groupBy(files, (file) => lifeOfOwner(file.owner, self))
    for (const { name } of lives.get("unknown") ?? []) owners?.removeOld(name)
    const left = lives.get("dead") ?? []
    if (left.length === 0) return []
    const groups = left.flatMap(({ group }) => group ?? [])
    const dead = new Set(left.map((file) => file.owner))
    const isEnded = await end({ isLeft: (mark) => dead.has(ownerOfMark(mark) ?? ""), groups })
    for (const { name } of isEnded ? left : []) owners?.remove(name)
    return groups
  }

  return {
    owner,
    mark(key) {
      const token = callMark(key, owner)
      const guarded = guardian.guard(token)
      return { env: markFor(token, environment), release: () => guarded.release() }
    },
    async endLeft(calls) {
      const groups = await endOwners()
      if (calls.length === 0) return new Set()
      const names = new Set(calls.map(({ key }) => callName(key)))
      const isLeft = (mark: string) => names.has(callOfMark(mark)) && isDead(ownerOfMark(mark) ?? "")
      const ran = new Set(calls.map((call) => call.owner))
      if (!(await end({ isLeft, groups: groups.filter((group) => ran.has(group.owner)) }))) return new Set()
      return new Set(calls.filter((call) => call.owner && isDead(call.owner)).map(({ key }) => key))
    },
  }
}
