/* oxlint-disable no-control-regex -- Sequences of terminals begin with a control character. */
import { Markdown, type MarkdownTheme } from "@earendil-works/pi-tui/dist/components/markdown.js"
import { setCapabilities } from "@earendil-works/pi-tui/dist/terminal-image.js"
import type { Theme } from "@pawl/terminal-text/theme"

export interface MarkdownOptions {
  readonly theme: Theme
  /** Makes addresses of links clickable (OSC 8). Otherwise they follow the text of the link. */
  readonly hasLinks: boolean
}

/** Renders Markdown without control characters as styled lines of at most `columns` columns. */
export type RenderMarkdown = (text: string, columns: number) => string[]

export function createMarkdown({ theme, hasLinks }: MarkdownOptions): RenderMarkdown {
  // Otherwise the library would start programs to find out.
  setCapabilities({ images: null, trueColor: false, hyperlinks: hasLinks })
  const styles = markdownTheme(theme)
  return (text, columns) => new Markdown(text, 0, 0, styles, undefined, OPTIONS).render(columns).map(withoutPadding)
}

/** As written: numbers of lists, because a list may come in several pieces; formulas, because code may look like them. */
const OPTIONS = { preserveOrderedListMarkers: true, renderLatex: false }

/** The renderer fills lines up with spaces, which would be copied, and break when the terminal gets narrower. */
function withoutPadding(line: string): string {
  return line.replace(/ +((?:\u001B\[[\d;]*m)*)$/, "$1")
}

function markdownTheme({ strong, faint, accent }: Theme): MarkdownTheme {
  const plain = (text: string) => text
  const sgr = (on: number, off: number) => (text: string) =>
    strong("") === "" && accent("x") === "x" ? text : `\u001B[${on}m${text}\u001B[${off}m`
  return {
    ...{ heading: (text) => strong(accent(text)), link: accent, linkUrl: faint },
    ...{ code: accent, codeBlock: plain, codeBlockBorder: faint, codeBlockIndent: "  " },
    ...{ quote: faint, quoteBorder: faint, hr: faint, listBullet: accent },
    ...{ bold: strong, italic: sgr(3, 23), strikethrough: sgr(9, 29), underline: sgr(4, 24) },
  }
}
