import { plainLine } from "@pawl/plain-text"
import { compactedLine } from "@pawl/terminal-text/compaction-line"
import { wrap } from "@pawl/terminal-text/flow"
import { duration } from "@pawl/terminal-text/quantity"
import type { Block } from "../state/view.ts"
import { wrapStyled } from "../terminal/text-width.ts"
import { chunksAfter, textStart } from "./chunks.ts"
import { type BlockLayout, proseColumns } from "./layout.ts"
import { reportLines } from "./report-lines.ts"
import { shownText } from "./shown-text.ts"
import { chunkLines } from "./text-lines.ts"
import { toolBlockLines } from "./tool-block.ts"

type Renderers = { [T in Block["type"]]: (block: Extract<Block, { type: T }>, layout: BlockLayout) => string[] }

/** How each kind of block is rendered. A new kind is one entry here and one in `state/view.ts`. */
const renderers: Renderers = {
  prompt: promptLines,
  text: ({ text, isDone }, layout) => {
    const { done, rest } = chunksAfter(text, textStart, isDone)
    const chunks = [...done.map(({ chunk }) => chunk), ...(rest ? [rest] : [])]
    return chunks.flatMap((chunk, at) => [...(chunk.hasGap && at > 0 ? [""] : []), ...chunkLines(chunk, layout)])
  },
  reasoning: reasoningLines,
  shell: ({ command }, layout) => marked("! ", shownText(layout.mask(command)), layout, layout.theme.strong),
  tool: ({ part, isOwn = false }, layout) => toolBlockLines(part, layout, isOwn),
  error: ({ message, hint }, layout) => [
    ...marked("✗ ", shownText(layout.mask(message)), layout, layout.theme.bad),
    ...(hint === undefined ? [] : marked("  ", hint, layout, layout.theme.faint)),
  ],
  notice: ({ text }, layout) => marked("", shownText(layout.mask(text)), layout, layout.theme.faint),
  retry: ({ message }, layout) =>
    marked("", `${plainLine(layout.mask(message))} · tried again`, layout, layout.theme.warn),
  compaction: ({ about }, layout) => marked("⋯ ", compactedLine(about), layout, layout.theme.faint),
  divider: ({ text }, { columns, theme }) => wrapStyled(`── ${plainLine(text)} ──`, columns).map(theme.warn),
  report: ({ lines }, layout) => reportLines(lines, layout),
}

/** Renders a block in lines of at most `columns` columns. */
export function blockLines(block: Block, layout: BlockLayout): string[] {
  const render = renderers[block.type] as (each: Block, layout: BlockLayout) => string[]
  return render(block, layout)
}

function promptLines({ text, attached, delivery }: Extract<Block, { type: "prompt" }>, layout: BlockLayout): string[] {
  const { theme } = layout
  // Such as the request for a compaction.
  if (text === "" && attached.length === 0) return []
  const files = attached.map((file) => theme.faint(`  attached: ${plainLine(file)}`))
  const came = delivery === undefined ? [] : [theme.faint(`  ${DELIVERIES[delivery] ?? delivery}`)]
  return [...marked("> ", shownText(text).trimEnd(), layout, theme.strong), ...files, ...came]
}

const DELIVERIES: Readonly<Record<string, string>> = {
  steer: "sent while it worked",
  queue: "sent after the turn",
  interrupt: "sent in place of a step",
}

const REASONING_LINES = 3

function reasoningLines({ text, took, isDone }: Extract<Block, { type: "reasoning" }>, layout: BlockLayout): string[] {
  const { theme, isUnfolded } = layout
  const shown = shownText(text).trim()
  if (shown === "") return []
  const lines = wrap(shown, proseColumns(layout) - 2).filter((line) => line.trim() !== "")
  const kept = isUnfolded ? lines : isDone ? lines.slice(0, REASONING_LINES) : lines.slice(-REASONING_LINES)
  const left = lines.length - kept.length
  const more = isDone && left > 0 ? ` · ${left} more ${left === 1 ? "line" : "lines"}` : ""
  const head = took === undefined ? "thinking" : `thought for ${duration(took)}`
  return [theme.faint(`✻ ${head}${more}`), ...kept.map((line) => theme.faint(`  ${line}`))]
}

/** Wraps a text behind a mark in the first line. */
function marked(mark: string, text: string, layout: BlockLayout, style: (text: string) => string): string[] {
  const columns = Math.max(proseColumns(layout) - mark.length, 8)
  const indent = " ".repeat(mark.length)
  const lines = text
    .split("\n")
    .flatMap((line) => wrap(line.replaceAll("\t", "  "), columns))
    .flatMap((line) => wrapStyled(line, columns))
  return lines.map((line, at) => style(`${at === 0 ? mark : indent}${line}`.trimEnd()))
}
