import { messageOf, type PluginHooks, type PluginInput } from "@pawl/core/plugin"
import { type OpenCodeEvent, openCodeEvents } from "@pawl/server"
import type { SharedResources } from "../shared-resources.ts"
import { type ForeignHooks, handlerOf } from "./foreign-hooks.ts"

/**
 * Delivers events in order without waiting for the handler: a handler may prompt the session, and the events of that
 * prompt come only later. Failures with the same text are reported once.
 */
export function eventHooks(
  { events }: Pick<SharedResources, "events">,
  hooks: ForeignHooks,
  notice: PluginInput["notice"],
): Pick<PluginHooks, "event" | "dispose"> {
  const handle = handlerOf(hooks, "event")
  const dispose = handlerOf(hooks, "dispose")
  const failures = new Set<string>()

  function failed(error: unknown): void {
    const message = `Its handler of events failed: ${messageOf(error)}`
    if (!failures.has(message)) notice(message)
    failures.add(message)
  }

  function deliver(event: OpenCodeEvent): void {
    // The handler is called immediately. If it returns a thenable, a failure of that is reported too.
    const handled = (async () => handle?.({ event: structuredClone(event) }))()
    handled.catch(failed)
  }

  // Watching files is expensive: it is done only if the handler's source names their events.
  const files = String(hooks["event"]).includes("file.watcher")
  const unsubscribe = handle ? events.subscribeOwn(deliver, { files }) : undefined
  return {
    ...(handle && {
      event({ event }) {
        for (const openCodeEvent of openCodeEvents(event)) deliver(openCodeEvent)
      },
    }),
    ...((dispose ?? unsubscribe) && {
      async dispose() {
        unsubscribe?.()
        await dispose?.(undefined)
      },
    }),
  }
}
