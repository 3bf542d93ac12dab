import type { RequestWatch } from "@pawl/core"

/** Registered, as a program may have several copies of this package. */
const WATCH = Symbol.for("pawl.request-watch")

type WatchingSignal = AbortSignal & { readonly [WATCH]?: RequestWatch }

/** A signal that carries `watch` to the fetch of a provider: an SDK passes nothing else of a call on to it. */
export function signalWithWatch(signal: AbortSignal, watch: RequestWatch | undefined): AbortSignal {
  return watch === undefined ? signal : Object.assign(AbortSignal.any([signal]), { [WATCH]: watch })
}

/** Undefined for a signal of another origin, such as one that an SDK has made. */
export function watchOf(signal: AbortSignal | null | undefined): RequestWatch | undefined {
  const watching: WatchingSignal | null | undefined = signal
  return watching?.[WATCH]
}
