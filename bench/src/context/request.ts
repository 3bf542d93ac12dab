import type { ModelRequest } from "@pawl/core/provider"

/** What a model reads of a request. */
export type Prompt = Pick<ModelRequest, "system" | "tools" | "messages">

/** What stays the same in all requests of a conversation. */
export type Fixed = Pick<Prompt, "system" | "tools">

/** As a provider gets it: what stays the same comes first, so that its cache can serve the beginning. */
export function serialized({ system, tools, messages }: Prompt): Buffer {
  return Buffer.from(JSON.stringify({ system, tools, messages }))
}

/** Every model of this benchmark counts so. */
export function tokensOf(request: Uint8Array): number {
  return Math.ceil(request.length / 4)
}

/** Bytes with which both begin. */
export function sharedPrefix(a: Buffer, b: Buffer): number {
  let same = 0
  let different = Math.min(a.length, b.length) + 1
  while (different - same > 1) {
    const middle = Math.floor((same + different) / 2)
    // What is known to be the same is not compared again.
    if (a.compare(b, same, middle, same, middle) === 0) same = middle
    else different = middle
  }
  return same
}
