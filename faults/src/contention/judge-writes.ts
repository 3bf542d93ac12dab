import type { Context } from "@pawl/core/storage"
import type { WriterLine } from "./options.ts"

/** Compares a session with the acknowledgements of its writers. Reports lost updates and duplicate revisions. */
export function judgeWrites({ session, revision, messages }: Context, lines: readonly WriterLine[]): string[] {
  const problems: string[] = []
  const own = lines.flatMap((line) => ("problem" in line || line.sessionID !== session.id ? [] : [line]))
  const stored = new Set<string>(messages.flatMap(({ parts }) => parts.map(({ id }) => id)))
  const seen = new Set<number>()
  for (const line of own) {
    if (!stored.has(line.part)) problems.push(`${session.id} has lost ${line.part} of revision ${line.revision}.`)
    if (seen.has(line.revision)) problems.push(`${session.id} had revision ${line.revision} twice.`)
    seen.add(line.revision)
  }
  // The first commit created the session.
  if (revision !== own.length + 1)
    problems.push(`${session.id} is at revision ${revision} after ${own.length + 1} commits.`)
  return problems
}
