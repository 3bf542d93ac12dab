import type { Context } from "hono"
import { openAPIDocument } from "./openapi/document.ts"
import { appOperations, serverOperations } from "./operations.ts"

/** Returns a handler that answers with the server's OpenAPI document. The first request creates it. */
export function documentHandler(version: string): (context: Context) => Response {
  let document: object | undefined
  return (context) => {
    document ??= openAPIDocument({ ...appOperations, ...serverOperations }, version)
    return context.json(document)
  }
}
