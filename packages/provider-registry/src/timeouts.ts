import type { Config } from "@pawl/config"

type Waiting = Pick<Config, "provider" | "deadlines">
type Limit = number | false | undefined

/** Time limits in milliseconds; 0 = no limit. Default: the engine's limit, if it has one. */
export interface ProviderTimeouts {
  readonly timeout?: number
  readonly connectTimeout?: number
  readonly headerTimeout?: number
  readonly chunkTimeout?: number
}

/** Time limits of the engine for every model. */
export interface EngineTimeouts {
  readonly firstEvent: number
  readonly idle: number
}

/** The engine's own, where nothing is configured. */
export const DEFAULT_TIMEOUTS: EngineTimeouts = { firstEvent: 180_000, idle: 120_000 }

/**
 * How long is waited for one provider. Its own word goes before `deadlines`: where another provider's lets the engine wait
 * longer, this one still has the usual limits.
 */
export function providerTimeouts(id: string, config: Waiting, usual = DEFAULT_TIMEOUTS): ProviderTimeouts {
  const { timeout, connectTimeout, headerTimeout, chunkTimeout } = config.provider?.[id]?.options ?? {}
  const { connect_ms, first_event_ms = usual.firstEvent, idle_ms = usual.idle } = config.deadlines ?? {}
  const raised = engineTimeouts(config, usual)
  return given({
    timeout,
    connectTimeout: connectTimeout ?? connect_ms,
    headerTimeout: headerTimeout ?? (raised.firstEvent === undefined ? undefined : first_event_ms),
    chunkTimeout: chunkTimeout ?? (raised.idle === undefined ? undefined : idle_ms),
  })
}

/** As long as the most patient provider wants; absent where none wants more than `deadlines`, or than is usual. */
export function engineTimeouts(
  { provider = {}, deadlines = {} }: Waiting,
  usual = DEFAULT_TIMEOUTS,
): Partial<EngineTimeouts> {
  const options = Object.values(provider).map((each) => each.options)
  const firstEvent = longest(
    options.map((each) => each?.headerTimeout),
    deadlines.first_event_ms ?? usual.firstEvent,
  )
  const idle = longest(
    options.map((each) => each?.chunkTimeout),
    deadlines.idle_ms ?? usual.idle,
  )
  return { ...(firstEvent === undefined ? {} : { firstEvent }), ...(idle === undefined ? {} : { idle }) }
}

/** Undefined where nothing is longer than what holds without it. */
function longest(limits: readonly Limit[], usual: number): number | undefined {
  const endless = (limit: number) => (limit === 0 ? Infinity : limit)
  const most = Math.max(
    endless(usual),
    ...limits.flatMap((limit) => (limit === undefined ? [] : endless(Number(limit)))),
  )
  if (most === endless(usual)) return undefined
  return most === Infinity ? 0 : most
}

function given(limits: Readonly<Record<keyof ProviderTimeouts, Limit>>): ProviderTimeouts {
  const entries = Object.entries(limits).filter(([, limit]) => limit !== undefined)
  return Object.fromEntries(entries.map(([name, limit]) => [name, Number(limit)]))
}
