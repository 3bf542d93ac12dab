import type { JSONObject } from "@pawl/core/tool"

/** The latest title and metadata that a call has reported. */
export interface Progress {
  title?: string
  metadata?: JSONObject
}
