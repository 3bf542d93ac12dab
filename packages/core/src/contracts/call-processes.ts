/** Processes that calls start, marked so that they end with the call's process, and can be found after its death. */
export interface CallProcesses {
  /** Names this process. It is stored with a call before the call's tool runs. */
  readonly owner: string
  /** The variables that mark what a call starts, which ends with this process until `release`. `key` names the call. */
  mark(key: string): { readonly env: Readonly<Record<string, string>>; release(): void }
  /**
   * Ends what dead processes of this host left of these calls, and all else that they are known to have left. Resolves with
   * the keys of the calls of which every process that could be found was ended. Leaves alone what belongs to a process that may live.
   * Called before each run, mostly without calls.
   */
  endLeft(calls: readonly { readonly key: string; readonly owner?: string }[]): Promise<ReadonlySet<string>>
}

export type CallMark = ReturnType<CallProcesses["mark"]>

/** The mark of one call, made when it is first asked for: most calls start no process. */
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
