import { currentProcess } from "@pawl/storage-kit"
import { createGuardian, type Guarded, type Guardian, type GuardianOptions } from "./guardian.ts"
import { MARK, markFor, marksIn, type Variables } from "./marks.ts"
import { callMark, NO_CALL, ownerName, ownerOfMark } from "./owner.ts"
import type { OwnerFiles } from "./owner-files.ts"
import { groupName, startedGroup } from "./started-group.ts"

/** Guards everything that inherits this process's environment, whatever code starts it. */
export interface ProcessGuard extends Guardian {
  /** Variables that mark this process's children, for copies of the environment that were made before. */
  readonly variables: Readonly<Record<string, string>>
  /** Keeps a file for this process from its first guarded process on, and one per guarded group. */
  keepFile(owners: OwnerFiles): void
  /**
   * Stops guarding processes that inherit the environment, because this process is about to exit. Ends other guarded
   * processes. Call it last.
   */
  release(): void
}

/**
 * Marks `environment`, which is this process's own. Call it once, before running foreign code. The guard is started by
 * `start` or with the first guarded process.
 */
export function guardProcess(
  environment: Record<string, string | undefined>,
  options: Omit<GuardianOptions, "onStart"> = {},
): ProcessGuard {
  const owner = ownerName(currentProcess())
  /** Names of the files for this process and its groups. */
  const names = new Set([owner])
  let files: OwnerFiles | undefined
  let isStarted = false
  const guardian = createGuardian({
    ...options,
    onStart() {
      isStarted = true
      for (const name of names) files?.add(name)
    },
  })
  /** Also keeps a file for the group, so that a later process finds it if this process and its guard are dead. */
  function withFile(guarded: Guarded): Guarded {
    let name: string | undefined
    return {
      ...guarded,
      lead(group) {
        guarded.lead(group)
        name = groupName(startedGroup(owner, group))
        names.add(name)
        if (isStarted) files?.add(name)
      },
      release() {
        guarded.release()
        if (name !== undefined && names.delete(name)) files?.remove(name)
      },
    }
  }

  const token = callMark(NO_CALL, owner)
  const own = guardian.guardLater(token)
  const variables = markFor(token, environment)
  Object.assign(environment, variables)
  return {
    variables,
    get pid() {
      return guardian.pid
    },
    guard: (token) => withFile(guardian.guard(token)),
    guardLater: (token) => withFile(guardian.guardLater(token)),
    ...{ start: guardian.start, setGrace: guardian.setGrace, close: guardian.close },
    keepFile(owners) {
      if (files?.directory === owners.directory) return
      for (const name of names) files?.remove(name)
      files = owners
      for (const name of isStarted ? names : []) files.add(name)
    },
    release() {
      own.release()
      for (const name of names) files?.remove(name)
    },
  }
}

/** Returns an environment without this process's marks, for a process that may outlive it, such as a browser. */
export function unguarded(environment: Variables): Variables {
  const owner = ownerName(currentProcess())
  const outer = marksIn(environment[MARK]).filter((mark) => ownerOfMark(mark) !== owner)
  return { ...environment, [MARK]: outer.length === 0 ? undefined : outer.join(":") }
}
