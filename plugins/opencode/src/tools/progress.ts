import type { JSONObject } from "@pawl/core/tool"

/** The title and metadata that a call has reported so far. */
export interface Progress {
  title?: string
  metadata?: JSONObject
}
