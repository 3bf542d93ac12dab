import { isForeignTo, signatureOf } from "../signature.ts"

/** Returns the default signature of a call: a digest of its name and arguments. */
export function toCallSignature(name: string, args: unknown): string {
  return signatureOf(spelled(name, args))
}

/** Returns true if the signature is a default signature of this server, but for another call. */
export function isOfOtherCall(name: string, args: unknown, signature: string): boolean {
  return isForeignTo(spelled(name, args), signature)
}

function spelled(name: string, args: unknown): string {
  return `${name}(${JSON.stringify(args ?? {})})`
}
