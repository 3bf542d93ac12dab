import { currentProcess, type ProcessIdentity } from "@pawl/storage-kit"
import { endLeft, type LeftProcesses } from "./end-left.ts"
import { DEFAULT_GRACE, type Guardian } from "./guardian.ts"
import { markFor, type Variables } from "./marks.ts"
import { callMark, callName, callOfMark, isOwnerName, lifeOfOwner, ownerName, ownerOfMark } from "./owner.ts"
import type { OwnerFiles } from "./owner-files.ts"
import { createProcessTable, type ProcessTable } from "./process-table.ts"
import { type StartedGroup, toStartedGroup } from "./started-group.ts"

/**
 * Marks processes with their call and this process, so that another process on the host can end them after this process
 * has died.
 */
export interface MarkedCalls {
  /** Names this process. It is stored with a call to record where the call ran. */
  readonly owner: string
  /**
   * Returns variables that mark a call's processes. They end with this process until `release`. `key` names the call.
   */
  mark(key: string): { readonly env: Readonly<Record<string, string>>; release(): void }
  /**
   * Ends processes that dead processes on this host left: those of these calls, and all of the processes that `owners`
   * lists. Returns the keys of calls that ran on this host and have no running processes. Ignores processes of an owner
   * that may live.
   */
  endLeft(calls: readonly LeftCall[]): Promise<ReadonlySet<string>>
}

export interface LeftCall {
  readonly key: string
  /** The process that ran the call last, as in `owner`; missing if it was not stored. */
  readonly owner?: string | undefined
}

export interface MarkedCallsOptions {
  readonly guardian: Guardian
  /** Milliseconds between SIGTERM and SIGKILL; 0: SIGKILL is never sent. Default: 1000. */
  readonly grace?: number | undefined
  /**
   * Environment with the marks of this process itself, which its calls inherit. Default: this process's environment.
   */
  readonly environment?: Variables
  /** Files of processes that may leave something. If missing, only processes of calls are ended. */
  readonly owners?: OwnerFiles | undefined
  readonly self?: ProcessIdentity
  readonly table?: ProcessTable
}

export function createMarkedCalls(options: MarkedCallsOptions): MarkedCalls {
  const { guardian, grace = DEFAULT_GRACE, environment = process.env, owners, self = currentProcess() } = options
  const { table = createProcessTable() } = options
  const owner = ownerName(self)
  const isDead = (name: string) => lifeOfOwner(name, self) === "dead"
  const end = (left: LeftProcesses) => endLeft({ table, self, grace }, left)

  /** Ends processes of certainly dead owners. Returns the groups that they had. */
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
