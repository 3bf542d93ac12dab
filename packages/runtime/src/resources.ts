type Close = () => Promise<void> | void

/** Opened resources, to be closed in reverse order. */
export interface Resources {
  add(close: Close): void
  close(): Promise<void>
}

export function createResources(): Resources {
  const closers: Close[] = []
  return {
    add: (close) => void closers.push(close),
    async close() {
      for (const close of closers.splice(0).toReversed()) await close()
    },
  }
}
