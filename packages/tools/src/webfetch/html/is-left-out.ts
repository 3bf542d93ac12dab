import type { Attributes } from "./elements.ts"

// Not text, not for reading, or the same on every page of a site.
const LEFT_OUT = new Set(
  (
    "applet audio button canvas datalist embed frameset iframe map math-field nav noembed noframes noscript object picker rp script " +
    "select style svg template textarea video"
  ).split(" "),
)
const HIDDEN_BY_STYLE = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i
/** The signs beside headings that link to them, and the line numbers beside code. */
const ORNAMENT = /(?:^|\s)(?:headerlink|hash-link|gutter|linenos?|line-numbers-rows|blob-num)(?:\s|$)/

/** Whether an element is skipped with all that stands in it: what people are not shown either, and what is not content. */
export function isLeftOut(name: string, { hidden, role, style, class: classes }: Attributes): boolean {
  if (LEFT_OUT.has(name) || role === "navigation") return true
  if (hidden !== undefined && hidden !== "until-found") return true
  return (style !== undefined && HIDDEN_BY_STYLE.test(style)) || (classes !== undefined && ORNAMENT.test(classes))
}
