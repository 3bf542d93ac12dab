import type { ModelRequest } from "@pawl/core/provider"

/** The parts of a request that a model reads. */
export type Prompt = Pick<ModelRequest, "system" | "tools" | "messages">

/** The parts that are the same in all requests of a conversation. */
export type Fixed = Pick<Prompt, "system" | "tools">

/** Serializes a request like a provider: the fixed parts come first, so that its cache can serve them. */
export function serialized({ system, tools, messages }: Prompt): Buffer {
  return Buffer.from(JSON.stringify({ system, tools, messages }))
}

/** All models of this benchmark count tokens in this way. */
export function tokensOf(request: Uint8Array): number {
  return Math.ceil(request.length / 4)
}

/** Returns the length of the common prefix. */
export function sharedPrefix(a: Buffer, b: Buffer): number {
  let same = 0
  let different = Math.min(a.length, b.length) + 1
  while (different - same > 1) {
    const middle = Math.floor((same + different) / 2)
    // Compares only bytes that were not compared yet.
    if (a.compare(b, same, middle, same, middle) === 0) same = middle
    else different = middle
  }
  return same
}
