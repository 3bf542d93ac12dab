/**
 * Milliseconds; 0: no limit. `call` counts from the last progress. Default of `call`: the engine's limit for tools, and
 * `list` for prompts and resources.
 */
export interface Timeouts {
  readonly connect: number
  readonly list: number
  readonly call?: number
}

const DEFAULT = 30_000

/** `timeout` sets all three. `timeouts` overrides it. */
export function readTimeouts(timeout: number | undefined, own: Partial<Timeouts> = {}): Timeouts {
  const call = own.call ?? timeout
  return {
    connect: own.connect ?? timeout ?? DEFAULT,
    list: own.list ?? timeout ?? DEFAULT,
    ...(call === undefined ? {} : { call }),
  }
}
