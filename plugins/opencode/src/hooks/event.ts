import { messageOf, type PluginHooks, type PluginInput } from "@pawl/core/plugin"
import { type OpenCodeEvent, openCodeEvents } from "@pawl/server"
import type { Scene } from "../scene.ts"
import { type ForeignHooks, handlerOf } from "./foreign-hooks.ts"

/**
 * Events are handed over in their order without waiting for what the handler makes of them: handlers ask the session for
 * answers, whose events come only then. What fails is told once for each text.
 */
export function eventHooks(
  { events }: Pick<Scene, "events">,
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
    // Called at once; whatever it gives that can be waited for counts as a promise.
    const handled = (async () => handle?.({ event: structuredClone(event) }))()
    handled.catch(failed)
  }

  // Watching a project costs something: it is done for handlers that speak of its events.
  const files = String(hooks["event"]).includes("file.watcher")
  const unsubscribe = handle ? events.subscribeOwn(deliver, { files }) : undefined
  return {
    ...(handle && {
      event({ event }) {
        for (const said of openCodeEvents(event)) deliver(said)
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
