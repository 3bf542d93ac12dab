import { amount } from "../report/amount.ts"
import type { Row } from "../report/row.ts"
import { type FactKind, factKinds } from "./conversation.ts"
import { COMPACTIONS, type Run, type SubjectName, type SummarizerName } from "./play-all.ts"
import { added, share } from "./score.ts"

const SUBJECTS: readonly SubjectName[] = ["pawl", "original", "original with prune", "truncation"]

/** Facts that a compaction must keep with any summarizer. */
const MUST_STAY: readonly FactKind[] = ["request", "path", "failing test", "open task", "pinned note"]

const MIB = 2 ** 20

/** Returns the rows of a scenario. `label` identifies it. */
export function retentionRows(runs: readonly Run[], label: string): readonly Row[] {
  const subjects = SUBJECTS.filter((name) => runs.some(({ subject }) => subject === name))
  const of = (name: SubjectName) => runs.filter(({ subject }) => subject === name)
  const rows = [
    mustStayRow(of("pawl")),
    ...factKinds.flatMap((kind) => subjects.map((name) => factRow(kind, name, of(name)))),
    ...subjects.flatMap((name) => trafficRows(name, of(name))),
  ]
  return rows.map((row) => ({ ...row, what: label + row.what }))
}

/** Returns percentages after each of `COMPACTIONS`, over all conversations. */
function shares(runs: readonly Run[], kinds: readonly FactKind[], summarizer: SummarizerName): number[] {
  const own = runs.filter((run) => run.summarizer === summarizer)
  return COMPACTIONS.map((_, at) => {
    return share(added(own.flatMap(({ scores }) => kinds.flatMap((kind) => scores[at]?.[kind] ?? []))))
  })
}

function mustStayRow(pawl: readonly Run[]): Row {
  const each = MUST_STAY.flatMap((kind) => [...shares(pawl, [kind], "lossy"), ...shares(pawl, [kind], "garbage")])
  return {
    ...{ benchmark: "context", what: "pawl: least kept of what must stay", unit: "%", goal: { atLeast: 100 } },
    ...{ result: Math.min(...each.filter((value) => !Number.isNaN(value))), samples: { shares: each } },
    from: `${MUST_STAY.join(", ")}; any number of compactions, either summarizer`,
  }
}

function factRow(kind: FactKind, subject: SubjectName, runs: readonly Run[]): Row {
  const lossy = shares(runs, [kind], "lossy")
  const garbage = runs.some(({ summarizer }) => summarizer === "garbage") ? shares(runs, [kind], "garbage") : []
  const from = [
    `after ${COMPACTIONS.join(", ")}: ${listed(lossy)}`,
    ...(garbage.length > 0 ? [`garbage as summaries: ${listed(garbage)}`] : []),
  ]
  return {
    ...{ benchmark: "context", what: `${kind} kept after ${COMPACTIONS.at(-1)}: ${subject}`, unit: "%" },
    ...{ result: lossy.at(-1) ?? NaN, from: from.join("; "), samples: { lossy, garbage } },
  }
}

function listed(values: readonly number[]): string {
  return `${values.map((value) => (Number.isNaN(value) ? "–" : value.toFixed(0)).padStart(3)).join(" ")} %`
}

function trafficRows(subject: SubjectName, runs: readonly Run[]): Row[] {
  const lossy = trafficOf(runs, "lossy")
  const garbage = trafficOf(runs, "garbage")
  const both = (text: (traffic: ReturnType<typeof trafficOf>) => string) => {
    return garbage.requests > 0 ? `${text(lossy)}; garbage as summaries: ${text(garbage)}` : text(lossy)
  }
  const row = (what: string, result: number, unit: Row["unit"], from: string): Row => {
    return { benchmark: "context", what: `${what}: ${subject}`, result, unit, from, samples: { result: [result] } }
  }
  const reuse = ({ reused, bytes }: typeof lossy) => (reused / bytes) * 100
  const anew = ({ bytes, reused }: typeof lossy) => (bytes - reused) / MIB
  return [
    row(
      "bytes sent",
      lossy.bytes / MIB,
      "MiB",
      both((sent) => `${sent.requests} requests, ${amount(sent.bytes / MIB, "MiB")}`),
    ),
    row(
      "of them, prefix of one before",
      reuse(lossy),
      "%",
      both((sent) => `${amount(anew(sent), "MiB")} are not`),
    ),
    row(
      "model calls for compactions",
      lossy.summaries,
      "calls",
      both((sent) => `${sent.summaries} for ${sent.compactions}`),
    ),
  ]
}

function trafficOf(runs: readonly Run[], summarizer: SummarizerName) {
  const own = runs.filter((run) => run.summarizer === summarizer)
  const sum = (of: (run: Run) => number) => own.reduce((total, run) => total + of(run), 0)
  return {
    requests: sum(({ traffic }) => traffic.requests),
    summaries: sum(({ traffic }) => traffic.summaries),
    bytes: sum(({ traffic }) => traffic.bytes),
    reused: sum(({ traffic }) => traffic.reused),
    compactions: sum(({ compactions }) => compactions),
  }
}
