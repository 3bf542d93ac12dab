/** The name of a spec or the title of a section, and the reason for skipping it. */
export interface Skip {
  readonly spec: string
  readonly reason: string
}

/** Returns a line per reason, since most reporters only count skipped tests. */
export function skipLines(suite: string, skips: readonly Skip[]): string[] {
  const reasons = new Map<string, string[]>()
  for (const { spec, reason } of skips) reasons.set(reason, [...(reasons.get(reason) ?? []), spec])
  return [...reasons].map(([reason, specs]) => `${suite}: skipped, ${reason}: ${specs.join(", ")}`)
}
