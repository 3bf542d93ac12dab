import { isForeignTo, signatureOf } from "../signature.ts"

/** The signature of a call for which the script gives none: a digest of what it asks for. */
export function toCallSignature(name: string, args: unknown): string {
  return signatureOf(spelled(name, args))
}

/** Is this signature one of this server for another call? */
export function isOfOtherCall(name: string, args: unknown, signature: string): boolean {
  return isForeignTo(spelled(name, args), signature)
}

function spelled(name: string, args: unknown): string {
  return `${name}(${JSON.stringify(args ?? {})})`
}
