/** What stands in the place of something that was taken out of a text. */
export function removed(kind: string): string {
  return `[removed:${kind}]`
}
