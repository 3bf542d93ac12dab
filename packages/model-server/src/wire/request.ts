import type { WireAsk, WireHead, WireRequest } from "./wire-format.ts"

/** Returns the key in `Authorization: Bearer <key>`. */
export function bearerKey({ headers }: WireHead): string | undefined {
  return headers.authorization?.match(/^Bearer (.+)$/i)?.[1]
}

/** Reads a request whose body has `model` and `stream`. */
export function askOfBody({ body: { model, stream } }: WireRequest): WireAsk {
  return { model: typeof model === "string" ? model : undefined, stream: stream === true }
}
