/** Marks the processes of calls, so that they end with the call's process and can be found after its death. */
export interface CallProcesses {
  /** Name of this process. It is stored with a call before the call's tool runs. */
  readonly owner: string
  /**
   * Returns the variables that mark a call's child processes. Until `release`, these end with this process. `key` names
   * the call.
   */
  mark(key: string): { readonly env: Readonly<Record<string, string>>; release(): void }
  /**
   * Ends the processes that dead processes of this host left of these calls, and all others that they are known to have
   * left. Resolves with the keys of the calls whose processes, as far as they were found, have all ended. Spares the
   * processes of an owner that may be alive. Called before each run, mostly without calls.
   */
  endLeft(calls: readonly { readonly key: string; readonly owner?: string }[]): Promise<ReadonlySet<string>>
}

export type CallMark = ReturnType<CallProcesses["mark"]>

/** The mark of one call, created at its first use: most calls start no process. */
export interface LazyMark {
  env(): Readonly<Record<string, string>>
  release(): void
}

export function lazyMark(processes: CallProcesses | undefined, key: string): LazyMark {
  let mark: CallMark | undefined
  return {
    env() {
      mark ??= processes?.mark(key)
      return mark?.env ?? {}
    },
    release: () => mark?.release(),
  }
}
