import type { RequestWatch } from "@pawl/core/provider"

/** In the global registry, since a program may have several copies of this package. */
const WATCH = Symbol.for("pawl.request-watch")

type WatchingSignal = AbortSignal & { readonly [WATCH]?: RequestWatch }

/** Returns a signal that carries `watch` to the provider's fetch. An SDK passes nothing else of a call to it. */
export function signalWithWatch(signal: AbortSignal, watch: RequestWatch | undefined): AbortSignal {
  return watch === undefined ? signal : Object.assign(AbortSignal.any([signal]), { [WATCH]: watch })
}

/** Undefined for other signals, such as one created by an SDK. */
export function watchOf(signal: AbortSignal | null | undefined): RequestWatch | undefined {
  const watching: WatchingSignal | null | undefined = signal
  return watching?.[WATCH]
}
