import type { MessageWithParts, Session } from "@pawl/core"
import { localDay, localHour } from "../stats/days.ts"
import { createUsageTable } from "../stats/usage.ts"
import { wrap } from "./flow.ts"
import { dollars, plural } from "./quantity.ts"
import { tokenFigures } from "./summary.ts"
import type { Theme } from "./theme.ts"

/** What a session took, without those below it; nothing where no model was asked. What a fork has copied is not its own. */
export function sessionUsage(
  { directory }: Pick<Session, "directory">,
  messages: readonly MessageWithParts[],
  { columns, theme }: { readonly columns: number; readonly theme: Theme },
): string[] {
  const table = createUsageTable({ day: localDay, hour: localHour })
  for (const message of messages) table.add(message, { directory })
  const { steps, calls, requests, tokens, cost, retries, estimated } = table.total()
  if (requests === 0) return []
  const figures = [
    ...[plural(steps, "step"), plural(calls, "tool call"), plural(requests, "request"), tokenFigures(tokens)],
    cost > 0 ? dollars(cost) : "",
    retries > 0 ? `${dollars(retries)} of it for failed attempts` : "",
    estimated > 0 ? `${dollars(estimated)} of it by estimate` : "",
  ]
  const text = figures.filter((figure) => figure !== "").join(" · ")
  return ["", ...wrap(text, columns).map((line) => theme.faint(line))]
}
