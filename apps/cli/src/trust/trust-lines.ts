import { wrap } from "../render/flow.ts"
import { plural } from "../render/quantity.ts"
import { visibleText } from "../render/plain.ts"
import type { Theme } from "../render/theme.ts"
import type { TrustRequest } from "./decide-trust.ts"

export interface TrustPaper {
  readonly columns: number
  readonly theme: Theme
}

/** What a project would do if it were trusted, in full: who says yes has to have seen it. */
export function trustLines(request: TrustRequest, { columns, theme }: TrustPaper): string[] {
  const { content, effects, changed } = request
  const others = content.files.length - effects.length
  const isNew = new Set(changed)
  return [
    ...fitted(`${content.worktree} supplies what runs or redirects:`, columns, 0).map(theme.strong),
    ...effects.flatMap(({ file, does }) => {
      const mark = isNew.has(file.path) ? " (changed)" : ""
      const link = file.link === undefined ? "" : ` -> ${file.link}`
      const title = fitted(`${file.path}${link}  ${file.kind}${mark}`, columns, 2)
      return [...title.map(theme.warn), ...does.flatMap((line) => fitted(line, columns, 6))]
    }),
    ...(effects.length === 0 ? fitted("nothing", columns, 2) : []),
    ...unseenChanges(request).flatMap((path) => fitted(`${path}  changed`, columns, 2).map(theme.warn)),
    ...(others === 0
      ? []
      : fitted(`and ${plural(others, "file")} of texts and of code that these use`, columns, 2).map(theme.faint)),
    theme.faint(`  hash ${content.hash}`),
  ]
}

/** Changed files that are not listed for what they do. */
function unseenChanges({ effects, changed = [] }: TrustRequest): string[] {
  const listed = new Set(effects.map(({ file }) => file.path))
  return changed.filter((path) => !listed.has(path))
}

/** Nothing in it is hidden, and it stays on lines of its own. */
function fitted(text: string, columns: number, indent: number): string[] {
  const shown = visibleText(text).replaceAll("\n", "^J").replaceAll("\t", "^I")
  return wrap(shown, Math.max(columns - indent, 20)).map((line) => " ".repeat(indent) + line)
}
