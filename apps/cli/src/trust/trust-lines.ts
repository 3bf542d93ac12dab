import { plural } from "@pawl/terminal-text/quantity"
import type { Theme } from "@pawl/terminal-text/theme"
import type { TrustRequest } from "@pawl/trust/decide-trust"
import { fittedLines } from "./fitted-lines.ts"

export interface TrustLayout {
  readonly columns: number
  readonly theme: Theme
}

/** Renders all effects of trusting a project, because the user must see them before saying yes. */
export function trustLines(request: TrustRequest, { columns, theme }: TrustLayout): string[] {
  const { content, effects, changed } = request
  const others = content.files.length - effects.length
  const isNew = new Set(changed)
  return [
    ...fittedLines(`${content.worktree} supplies what runs or redirects:`, columns, 0).map(theme.strong),
    ...effects.flatMap(({ file, does }) => {
      const mark = isNew.has(file.path) ? " (changed)" : ""
      const link = file.link === undefined ? "" : ` -> ${file.link}`
      const title = fittedLines(`${file.path}${link}  ${file.kind}${mark}`, columns, 2)
      return [...title.map(theme.warn), ...does.flatMap((line) => fittedLines(line, columns, 6))]
    }),
    ...(effects.length === 0 ? fittedLines("nothing", columns, 2) : []),
    ...unseenChanges(request).flatMap((path) => fittedLines(`${path}  changed`, columns, 2).map(theme.warn)),
    ...(others === 0
      ? []
      : fittedLines(`and ${plural(others, "file")} of texts and of code that these use`, columns, 2).map(theme.faint)),
    theme.faint(`  hash ${content.hash}`),
  ]
}

/** Changed files that are not listed for what they do. */
function unseenChanges({ effects, changed = [] }: TrustRequest): string[] {
  const listed = new Set(effects.map(({ file }) => file.path))
  return changed.filter((path) => !listed.has(path))
}
