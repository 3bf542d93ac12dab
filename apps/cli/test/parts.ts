import type { EngineEvent, EventMap } from "@pawl/core"

export * from "../../../packages/terminal-text/test/parts.ts"

/** An engine's event. */
export function event<T extends keyof EventMap>(type: T, properties: EventMap[T]): EngineEvent {
  return { id: "evt_1", type, properties } as EngineEvent
}
