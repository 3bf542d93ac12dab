import type { Attributes } from "./elements.ts"

// Elements that have no text, are not for reading, or repeat on every page of a site.
const LEFT_OUT = new Set(
  (
    "applet audio button canvas datalist embed frameset iframe map math-field nav noembed noframes noscript object picker rp script " +
    "select style svg template textarea video"
  ).split(" "),
)
const HIDDEN_BY_STYLE = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i
/** Link signs beside headings, and line numbers beside code. */
const ORNAMENT = /(?:^|\s)(?:headerlink|hash-link|gutter|linenos?|line-numbers-rows|blob-num)(?:\s|$)/

/** Returns true for elements that browsers hide or that are not content. They are skipped with their children. */
export function isLeftOut(name: string, { hidden, role, style, class: classes }: Attributes): boolean {
  if (LEFT_OUT.has(name) || role === "navigation") return true
  if (hidden !== undefined && hidden !== "until-found") return true
  return (style !== undefined && HIDDEN_BY_STYLE.test(style)) || (classes !== undefined && ORNAMENT.test(classes))
}
