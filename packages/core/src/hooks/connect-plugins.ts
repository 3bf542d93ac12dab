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
  /** Returns the engine for the plugins. */
  readonly engine: () => unknown
  readonly roots: Pick<Roots, "known" | "learn">
}

/** The plugins of an engine, connected to its events. */
export interface ConnectedPlugins {
  readonly plugins: Plugins
  readonly control: PluginControl
  /** Starts the engine's first plugins. */
  start(entries: readonly PluginEntry[]): Promise<void>
  /** Publishes the events of the first plugins' start. Called once there is a listener. */
  listened(): void
}

export function connectPlugins({ bus, deadlines, engine, roots }: ConnectDeps): ConnectedPlugins {
  let isStarting = true
  const unpublished: (() => void)[] = []
  const tell = (publish: () => void) => void (isStarting ? unpublished.push(publish) : publish())
  let unsubscribe: (() => void) | undefined

  function learn({ id, parentID }: Session): void {
    const root = parentID ? roots.known(parentID) : id
    if (root) roots.learn(id, root)
  }

  /** Subscribes to events only if a plugin handles them, so that other events are not even created. */
  function follow(): void {
    const isWanted = plugins.hooks.has("event")
    if (isWanted && !unsubscribe) {
      unsubscribe = bus.subscribe((event) => {
        if (event.type === "session.created") learn(event.properties.info)
        // A failing handler would be notified of its own failure again and again.
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
      if (!isStarting) for (const publish of unpublished.splice(0)) publish()
    },
  }
}
