/** What sessions are called in a recording: `s1` is the first that is named. */
export interface SessionNames {
  nameOf(sessionID: string): string
  has(sessionID: string): boolean
}

export function createSessionNames(): SessionNames {
  const names = new Map<string, string>()
  return {
    nameOf(sessionID) {
      const name = names.get(sessionID) ?? `s${names.size + 1}`
      names.set(sessionID, name)
      return name
    },
    has: (sessionID) => names.has(sessionID),
  }
}
