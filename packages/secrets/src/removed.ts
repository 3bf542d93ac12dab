/** Returns the replacement for a masked text. */
export function removed(kind: string): string {
  return `[removed:${kind}]`
}

/** Returns whether a text holds the replacement for a masked text. */
export function holdsRemoved(text: string): boolean {
  return /\[removed:[^\]\n]*\]/.test(text)
}
