import type { FileContent } from "../../../src/contracts/model.ts"

/** Characters of base64. */
export function encoded({ url }: FileContent): number {
  return url.length - url.indexOf(",") - 1
}
