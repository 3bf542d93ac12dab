import type { Usage } from "@pawl/reports/usage/usage"
import { wrap } from "./flow.ts"
import { dollars, plural } from "./quantity.ts"
import { tokenFigures } from "./summary.ts"
import type { Theme } from "./theme.ts"

/** Renders the usage of a session. Empty if no request was sent. */
export function sessionUsage(
  { steps, calls, requests, tokens, cost, retries, estimated }: Usage,
  { columns, theme }: { readonly columns: number; readonly theme: Theme },
): string[] {
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
