import type { z } from "zod"
import type { SessionID } from "../base/ids.ts"
import type { EngineEvent } from "./events.ts"
import type { HookMap, HookName } from "./hook-map.ts"

export type HookInput<N extends HookName> = N extends "event"
  ? { readonly event: EngineEvent; readonly rootSessionID?: SessionID }
  : z.infer<HookMap[N]["input"]>
export type HookOutput<N extends HookName> = z.infer<HookMap[N]["output"]>
