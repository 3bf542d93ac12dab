/** Sends prompts in the order in which they were typed, although some take longer to prepare. */
export interface SendOrder {
  /** Calls `send` when what came before was sent. Resolves with what `send` returns when that has ended. */
  next<P>(prepared: Promise<P>, send: (prepared: P) => Promise<void>): Promise<void>
}

export function createSendOrder(): SendOrder {
  let last: Promise<unknown> = Promise.resolve()
  return {
    async next(prepared, send) {
      const before = last
      const begun = (async () => {
        const [ready] = await Promise.all([prepared, before])
        // Wrapped, because what follows waits for the sending and not for its end.
        return { ended: send(ready) }
      })()
      last = Promise.allSettled([before, begun])
      await (
        await begun
      ).ended
    },
  }
}
