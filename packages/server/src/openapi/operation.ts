import type { z } from "zod"

export type Method = "DELETE" | "GET" | "PATCH" | "POST" | "PUT"

/** The description of a route for the server's OpenAPI document. */
export interface Operation {
  /** As in OpenCode's SDK, if the route is OpenCode's. */
  readonly id: string
  readonly summary: string
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** Schema of the JSON answer. Missing: an empty answer with status 204. */
  readonly answer?: z.ZodType
  /** Content type of the answer. Default: JSON */
  readonly type?: "application/octet-stream" | "text/event-stream" | "text/x-diff"
  /** Set if the request concerns all directories, or another one than it names. */
  readonly isGlobal?: true
  /** Name of the missing feature, if the route always answers 404. */
  readonly missing?: string
}

/** Descriptions by method and path in Hono's form, such as `GET /session/:sessionID`. */
export type Operations = Readonly<Record<`${Method} /${string}`, Operation>>
