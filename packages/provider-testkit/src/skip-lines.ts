/** What is left out: the name of a spec or the title of a section. */
export interface Skip {
  readonly spec: string
  readonly reason: string
}

/** One line for each reason, for people: most reporters count what is skipped and do not name it. */
export function skipLines(suite: string, skips: readonly Skip[]): string[] {
  const reasons = new Map<string, string[]>()
  for (const { spec, reason } of skips) reasons.set(reason, [...(reasons.get(reason) ?? []), spec])
  return [...reasons].map(([reason, specs]) => `${suite}: skipped, ${reason}: ${specs.join(", ")}`)
}
