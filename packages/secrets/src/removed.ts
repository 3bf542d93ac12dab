/** Returns the replacement for a masked text. */
export function removed(kind: string): string {
  return `[removed:${kind}]`
}
