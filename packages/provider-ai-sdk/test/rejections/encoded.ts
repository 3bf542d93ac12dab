import type { FileContent } from "@pawl/core/provider"

/** Characters of base64. */
export function encoded({ url }: FileContent): number {
  return url.length - url.indexOf(",") - 1
}
