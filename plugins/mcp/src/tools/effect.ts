import type { Effect } from "@pawl/core/tool"
import type { ListedTool } from "../listing/listing.ts"

/** Returns the effect that the server declares. Declarations of untrusted servers are ignored. */
export function effectOf({ annotations }: ListedTool, isTrusted: boolean): Effect {
  if (!isTrusted) return "unsafe"
  if (annotations?.readOnlyHint) return "pure"
  return annotations?.idempotentHint ? "idempotent" : "unsafe"
}
