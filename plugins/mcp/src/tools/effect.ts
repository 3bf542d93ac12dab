import type { Effect } from "@pawl/core/tool"
import type { ListedTool } from "../listing/listing.ts"

/** What repeating a call would do, as the server says; the word of one that nobody allowed does not count. */
export function effectOf({ annotations }: ListedTool, isTrusted: boolean): Effect {
  if (!isTrusted) return "unsafe"
  if (annotations?.readOnlyHint) return "pure"
  return annotations?.idempotentHint ? "idempotent" : "unsafe"
}
