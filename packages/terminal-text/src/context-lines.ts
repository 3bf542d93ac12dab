import type { ContextReport, Session } from "@pawl/core"
import { wrap } from "./flow.ts"
import { plainLine, plainText } from "@pawl/plain-text"
import { ago, count, dollars, plural } from "./quantity.ts"
import type { Theme } from "./theme.ts"
import { renderBar } from "./window-bar.ts"

type PastCompaction = ContextReport["compactions"][number]

export interface ContextLayout {
  readonly columns: number
  readonly theme: Theme
  /** Epoch milliseconds. */
  readonly now: number
  /** Paths below it begin with `~`. */
  readonly home: string | undefined
}

/** Longer lines are hard to read. */
const WIDEST = 100
/** Columns of the longest label and the gap behind it. */
const LABEL = 14
/** Number of compactions that are listed. */
const TOLD = 8

/** Renders the content of a session's context window. */
export function contextLines(session: Session, report: ContextReport, layout: ContextLayout): string[] {
  const { theme } = layout
  const columns = Math.min(layout.columns, WIDEST)
  const { agent, model, shares, limits } = report
  const about = [report.sessionID, `agent ${plainLine(agent)}`, plainLine(`${model.providerID}/${model.modelID}`)]
  const facts: (readonly [label: string, texts: readonly string[]])[] = [
    ["next request", [sizeText(report)]],
    ["when full", [policyText(report)]],
    ["estimate", [calibrationText(report)]],
    ["images", report.media > 0 ? [`${count(report.media)} tokens of images and documents, counted above`] : []],
    ["tools", [`${report.tools} offered`]],
    [
      "instructions",
      report.instructions.map((each) => `${count(each.tokens).padStart(5)}  ${shown(each.path, layout)}`),
    ],
    ["clearable", clearableTexts(report)],
    ["compactions", compactionTexts(report.compactions, layout.now)],
    ["cache", cacheTexts(report, layout.now)],
    ["pinned", report.pins.map(({ text }) => plainText(text))],
  ]
  return [
    ...wrap(plainLine(session.title), columns).map((line) => theme.strong(line)),
    ...wrap(about.join(" · "), columns).map((line) => theme.faint(line)),
    ...problemLines(report, columns, theme),
    "",
    ...renderBar(shares, limits?.usable ?? 0, columns).split("\n"),
    "",
    ...facts.flatMap(([label, texts]) => factLines(label, texts, columns, theme)),
  ]
}

function factLines(label: string, texts: readonly string[], columns: number, theme: Theme): string[] {
  const lines = texts.flatMap((text) => wrap(text, columns - LABEL))
  return lines.map((line, at) => `${theme.faint((at === 0 ? label : "").padEnd(LABEL))}${line}`)
}

function problemLines({ modelProblem }: ContextReport, columns: number, theme: Theme): string[] {
  if (modelProblem === undefined) return []
  const text = `The model cannot be used, so its window is not known here: ${plainLine(modelProblem)}`
  return wrap(text, columns).map((line) => theme.warn(line))
}

function sizeText({ tokens, margin, limits }: ContextReport): string {
  const size = `${count(tokens)} tokens${margin > 0 ? `, at most ${count(tokens + margin)}` : ""}`
  if (!limits) return size
  const { usable, window } = limits
  return `${size} of ${count(usable)} usable (${percent(tokens / usable)}); window ${count(window)}`
}

function policyText({ auto, limits }: ContextReport): string {
  if (!auto) return "nothing happens by itself (compaction.auto is off): pawl session compact"
  if (!limits) return "compacted when the provider refuses a request: the model's limit is not known"
  const { soft, hard } = limits
  const ahead = soft < hard ? `a summary is prepared from ${count(soft)} tokens on, ` : ""
  return `${ahead}older messages are replaced at ${count(hard)}`
}

function calibrationText({ calibration: { bytesPerToken, error, samples, ignored = 0 } }: ContextReport): string {
  const ratio = `${bytesPerToken.toFixed(1)} bytes a token`
  const without = ignored > 0 ? `; ${plural(ignored, "report")} ignored that cannot be true` : ""
  if (samples === 0 && without) return `${ratio}, as is usual${without}`
  if (samples === 0) return `${ratio}, as is usual: the model has not answered in this session yet`
  return `${ratio}, learned from ${plural(samples, "answer")}; off by ${percent(error)} on average${without}`
}

/** Number of requests that are listed. */
const BUSTS = 4

function cacheTexts({ cache: { requests, busts } }: ContextReport, now: number): string[] {
  if (requests < 2) return []
  const kept = requests - busts.length
  const told = busts.slice(-BUSTS).map(({ time, firstChangedBlock, owner, reason }) => {
    return [ago(time, now), plainLine(firstChangedBlock), plainLine(owner), plainLine(reason)].join(" · ")
  })
  const all = busts.length === 0 ? "all" : `${kept} of`
  return [`${all} ${plural(requests, "request")} began like the one before`, ...told]
}

function clearableTexts({ prunable, prune }: ContextReport): string[] {
  if (prunable.outputs === 0) return []
  const what = `${plural(prunable.outputs, "old output")} of tools, ${count(prunable.tokens)} tokens`
  return [prune ? what : `${what}; not done by itself (compaction.prune is off)`]
}

function compactionTexts(compactions: ContextReport["compactions"], now: number): string[] {
  if (compactions.length === 0) return []
  const told = compactions.slice(-TOLD)
  const earlier = compactions.length - told.length
  return [...(earlier > 0 ? [`${earlier} earlier`] : []), ...told.map((each) => compactionText(each, now))]
}

function compactionText(
  { time, auto, status, strategy, reason, before, after, cost, calls }: PastCompaction,
  now: number,
) {
  const facts = [
    ago(time, now),
    auto ? "by itself" : "asked for",
    status === "applied" ? (strategy ?? "summary") : STATUS[status],
    ...(before === undefined || after === undefined ? [] : [`${count(before)} → ${count(after)} tokens`]),
    ...(calls > 0 ? [plural(calls, "call")] : []),
    ...(cost !== undefined && cost > 0 ? [dollars(cost)] : []),
    ...(reason === undefined ? [] : [plainLine(reason)]),
  ]
  return facts.join(" · ")
}

const STATUS: Record<Exclude<PastCompaction["status"], "applied">, string> = {
  prepared: "summary prepared, not in effect yet",
  unused: "summary prepared, not used",
  unfinished: "summary not finished",
  pending: "not made yet",
  failed: "failed",
}

function shown(path: string, { home }: ContextLayout): string {
  return plainLine(home && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path)
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
