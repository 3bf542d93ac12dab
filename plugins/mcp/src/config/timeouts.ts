/**
 * Milliseconds; 0: no end. `call` counts from the last sign of progress; absent: for tools as the engine's tools, for
 * prompts and resources `list`.
 */
export interface Timeouts {
  readonly connect: number
  readonly list: number
  readonly call?: number
}

const DEFAULT = 30_000

/** `timeout` stands for all three; what `timeouts` says comes first. */
export function readTimeouts(timeout: number | undefined, own: Partial<Timeouts> = {}): Timeouts {
  const call = own.call ?? timeout
  return {
    connect: own.connect ?? timeout ?? DEFAULT,
    list: own.list ?? timeout ?? DEFAULT,
    ...(call === undefined ? {} : { call }),
  }
}
