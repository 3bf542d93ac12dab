import { relative } from "node:path"
import type { LevelExplanation, PermissionAction, PermissionScope, SpokenRule } from "@pawl/core/permission"
import type { ExplainedNeed } from "@pawl/reports/permissions/explain-call"
import { foreignLine } from "./foreign-lines.ts"
import { wrap } from "./flow.ts"
import type { Theme } from "./theme.ts"

export interface PermissionLayout {
  readonly columns: number
  readonly theme: Theme
  /** Files below it are shown relative to it. */
  readonly directory: string
}

const SILENCES: Readonly<Record<NonNullable<SpokenRule["silencedBy"]>, string>> = {
  "only-tightens": "a project lifts nothing",
  delegated: "left to subagents",
  "only-reads": "it only reads",
  "word-end": "an allow ends with the word before *",
  "same-source": "the same source is more precise",
  overruled: "overruled",
  unclear: "what is unclear is asked",
}

export function styledAction(action: PermissionAction, theme: Theme): string {
  const style = { allow: theme.good, ask: theme.warn, deny: theme.bad }[action]
  return style(action)
}

/** Renders a need of a call: the decision, the reason, and every scope with a matching rule. */
export function needLines(judged: ExplainedNeed, layout: PermissionLayout): string[] {
  const { need, patterns, action } = judged
  const { theme, columns } = layout
  const said = (text: string) => wrap(text, columns - 4).map((line) => `    ${line}`)
  const lines = [`${styledAction(action, theme)} ${theme.strong(foreignLine(need.permission))}`]
  for (const pattern of patterns) {
    const shown = pattern.pattern === "" ? "(nothing is named)" : foreignLine(pattern.pattern)
    lines.push(
      ...wrap(`${pattern.decision.action} ${shown}`, columns - 2).map((line, at) => {
        const { action: own } = pattern.decision
        return at === 0 ? `  ${styledAction(own, theme)}${line.slice(own.length)}` : `    ${line}`
      }),
    )
    lines.push(...pattern.levels.flatMap((level) => levelLines(level, layout)))
  }
  if (need.unclear !== undefined)
    lines.push(...said(`unclear: ${foreignLine(need.unclear)}`).map((line) => theme.warn(line)))
  if (judged.isApproved)
    lines.push(...said("allowed for good in this session, so that it is not asked").map((line) => theme.good(line)))
  return lines
}

function levelLines({ ceiling, spoke }: LevelExplanation, layout: PermissionLayout): string[] {
  const { theme, columns } = layout
  const head = ceiling === undefined ? [] : [theme.faint(`    the agent ${foreignLine(ceiling)} above:`)]
  if (spoke.length === 0) return [...head, theme.faint("    no rule speaks of it")]
  const lines = spoke.flatMap((rule) => {
    const mark = rule.decides ? "→" : " "
    const why = rule.silencedBy === undefined ? "" : ` (${SILENCES[rule.silencedBy]})`
    const text = `${mark} ${ruleWords(rule)} · ${placeWords(rule, layout)}${why}`
    return wrap(text, columns - 4).map((line, at) => (at === 0 ? `    ${line}` : `      ${line}`))
  })
  return [...head, ...lines.map((line) => (line.startsWith("    →") ? line : theme.faint(line)))]
}

function ruleWords({ permission, pattern, action }: Pick<SpokenRule, "permission" | "pattern" | "action">): string {
  return `${action} ${foreignLine(permission)} ${JSON.stringify(foreignLine(pattern))}`
}

function placeWords(
  { scope, file, line }: Pick<SpokenRule, "scope" | "file" | "line">,
  layout: PermissionLayout,
): string {
  return file === undefined
    ? foreignLine(scope)
    : `${foreignLine(scope)}, ${shownFile(file, layout)}${line === undefined ? "" : `:${line}`}`
}

function shownFile(file: string, { directory }: PermissionLayout): string {
  const short = relative(directory, file)
  return foreignLine(short.startsWith("..") ? file : short)
}

/** Renders the rules of a scope in their order. */
export function scopeLines(scope: PermissionScope, layout: PermissionLayout): string[] {
  const { theme, columns } = layout
  const facts = [
    ...(scope.file === undefined ? [] : [shownFile(scope.file, layout)]),
    ...(scope.onlyTightens ? ["only tightens"] : []),
    ...(scope.readsUnasked ? ["asks for nothing that only reads"] : []),
    ...(scope.except?.length
      ? [`leaves to subagents: ${scope.except.map((each) => `${each.permission} ${each.pattern}`).join(", ")}`]
      : []),
  ]
  const head = wrap([foreignLine(scope.name), ...facts.map(foreignLine)].join(" · "), columns)
  const rules = scope.rules.map((rule) => {
    const { action, permission, pattern, line } = rule
    const where = line === undefined ? "" : theme.faint(` · line ${line}`)
    return `  ${styledAction(action, theme)}${" ".repeat(6 - action.length)}${foreignLine(permission)} ${JSON.stringify(foreignLine(pattern))}${where}`
  })
  return [...head.map((line) => theme.strong(line)), ...rules]
}
