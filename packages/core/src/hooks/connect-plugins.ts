import type { Deadlines } from "../base/deadlines.ts"
import type { EventBus } from "../contracts/events.ts"
import type { Session } from "../record/message.ts"
import type { Roots } from "../store/roots.ts"
import { createPluginControl, type PluginControl } from "./plugin-control.ts"
import type { PluginEntry } from "./plugin.ts"
import { createPlugins, type Plugins } from "./plugins.ts"

export interface ConnectDeps {
  readonly bus: EventBus
  readonly deadlines: Pick<Deadlines, "guardHook" | "transformHook">
  /** The engine that plugins get. */
  readonly engine: () => unknown
  readonly roots: Pick<Roots, "known" | "learn">
}

/** The plugins of an engine, with what they are told and what is told of them. */
export interface ConnectedPlugins {
  readonly plugins: Plugins
  readonly control: PluginControl
  /** Starts those that the engine begins with. */
  start(entries: readonly PluginEntry[]): Promise<void>
  /** Somebody listens: what could be told to nobody while the first ones started is told now. */
  listened(): void
}

export function connectPlugins({ bus, deadlines, engine, roots }: ConnectDeps): ConnectedPlugins {
  let isStarting = true
  const untold: (() => void)[] = []
  const tell = (publish: () => void) => void (isStarting ? untold.push(publish) : publish())
  let unsubscribe: (() => void) | undefined

  function learn({ id, parentID }: Session): void {
    const root = parentID ? roots.known(parentID) : id
    if (root) roots.learn(id, root)
  }

  /** Events that nobody takes are not even made. */
  function follow(): void {
    const isWanted = plugins.hooks.has("event")
    if (isWanted && !unsubscribe) {
      unsubscribe = bus.subscribe((event) => {
        if (event.type === "session.created") learn(event.properties.info)
        // A handler that fails would be told of its own failure for ever.
        if (event.type !== "plugin.error") void plugins.hooks.observe("event", { event })
      })
    } else if (!isWanted) {
      unsubscribe?.()
      unsubscribe = undefined
    }
  }

  const plugins = createPlugins({
    ...{ deadlines, rootOf: (sessionID) => roots.known(sessionID) },
    input: () => ({ engine: engine() }),
    notice(message, sessionID) {
      tell(() => bus.publish("session.notice", { message, ...(sessionID ? { sessionID } : {}) }))
    },
    onChange: follow,
    reports: {
      failed({ plugin, hook, message }, sessionID) {
        tell(() => bus.publish("plugin.error", { plugin, hook, message, ...(sessionID ? { sessionID } : {}) }))
      },
      disabled(plugin, sessionID) {
        const message = `Plugin "${plugin}" failed three times in a row and is disabled for this session.`
        tell(() => bus.publish("plugin.disabled", { sessionID, plugin, message }))
      },
    },
  })
  return {
    plugins,
    control: createPluginControl(plugins),
    async start(entries) {
      await plugins.set(entries)
      isStarting = false
    },
    listened() {
      if (!isStarting) for (const publish of untold.splice(0)) publish()
    },
  }
}
