/** Calls `report` after changes: at once for the first one, then at most once per `interval` milliseconds. */
export interface Progress {
  changed(): void
  /** Stops reporting. */
  stop(): void
}

export function createProgress(report: () => void, interval: number): Progress {
  let timer: NodeJS.Timeout | undefined
  let last = Number.NEGATIVE_INFINITY
  let isStopped = false

  function fire(): void {
    timer = undefined
    last = performance.now()
    report()
  }
  return {
    changed() {
      if (!isStopped) timer ??= setTimeout(fire, Math.max(0, last + interval - performance.now()))
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
