import { mkdir, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { EditsInput, StoredBytes } from "../children/engine-edits.ts"
import type { FileHistoryInput, FileHistoryTimes } from "../children/file-history.ts"
import { openChild, runChild } from "../measure/child.ts"
import type { Scratch } from "../measure/scratch.ts"
import { interleaved, median, percentile } from "../measure/statistics.ts"
import type { ModelProcess, Recording } from "../model/model-process.ts"
import { stepsPrompt } from "../model/reply-to.ts"
import { milliseconds } from "../report/amount.ts"
import type { Row } from "../report/row.ts"
import { addIgnored, createWorktree, filesToChange, git } from "../undo/worktree.ts"
import type { Benchmark } from "./benchmark.ts"

const FILES = 100_000
const CHANGED_FILES = 20
const EDITS = 100
/** A model takes longer for an answer. Files are listed in this time. */
const ANSWER_MS = 300
/** Each edited file has that many lines of 40 bytes: 8 KB. */
const EDITED_LINES = 200

const historyScript = new URL("../children/file-history.ts", import.meta.url)
const editsScript = new URL("../children/engine-edits.ts", import.meta.url)

export const undo: Benchmark = {
  name: "undo",
  summary: "what a history of files costs, against git add --all into a second repository",
  async run({ model, scratch, quick, smallest }) {
    const size = smallest ? 0.02 : quick ? 0.1 : 1
    const worktree = await scratch.folder()
    await createWorktree(worktree, FILES * size)
    const lists = await measureLists(scratch, worktree, { quick, smallest })
    await addIgnored(worktree, FILES * size)
    const ignored = await measureLists(scratch, worktree, { quick: true, smallest })
    const edits = await measureEdits(model, scratch, { count: smallest ? 10 : EDITS, rounds: quick ? 1 : 5 })
    return [...listRows(lists, FILES * size), ignoredRow(lists, ignored), ...editRows(edits)]
  },
}

interface Lists {
  readonly first: readonly number[]
  readonly later: readonly FileHistoryTimes[]
  readonly firstAdd: readonly number[]
  readonly laterAdd: readonly number[]
}

/** Measures new processes with their first and later listings, and new repositories with their first and later commands. */
async function measureLists(
  scratch: Scratch,
  worktree: string,
  { quick, smallest }: { readonly quick: boolean; readonly smallest: boolean },
): Promise<Lists> {
  const files = filesToChange(worktree, CHANGED_FILES)
  const lists = {
    first: [] as number[],
    later: [] as FileHistoryTimes[],
    firstAdd: [] as number[],
    laterAdd: [] as number[],
  }
  for (let round = 0; round < (quick ? 1 : 3); round++) {
    const input: FileHistoryInput = { worktree, directory: await scratch.folder(), files }
    const repository = join(await scratch.folder(), "second.git")
    const add = async () => {
      const start = performance.now()
      git(worktree, ["add", "--all"], repository)
      git(worktree, ["write-tree"], repository)
      return performance.now() - start
    }
    const child = openChild(historyScript, input)
    const measure = async () => {
      child.send("measure")
      return child.receive<FileHistoryTimes>()
    }
    git(worktree, ["init", "--quiet"], repository)
    lists.first.push((await measure()).listed)
    lists.firstAdd.push(await add())
    const later = await interleaved(smallest ? 1 : 5, { history: measure, add })
    lists.later.push(...later.history)
    lists.laterAdd.push(...later.add)
    await child.close()
  }
  return lists
}

function listRows({ first, later, firstAdd, laterAdd }: Lists, files: number): Row[] {
  const listed = later.map((each) => each.listed)
  const compared = later.map((each) => each.compared)
  const watched = later.map((each) => each.watched)
  const against = (what: string, measured: readonly number[], add: readonly number[]): Row => {
    const [own, peer] = [median(measured), median(add)]
    const from = `${milliseconds(own)}, git add and write-tree ${milliseconds(peer)}`
    return {
      ...{ benchmark: "undo", what: `${what} of ${files} files / git add --all`, result: own / peer, unit: "×", from },
      samples: { measured, add },
    }
  }
  const absolute = (what: string, measured: readonly number[], atMost: number, from: string): Row => ({
    ...{ benchmark: "undo", what, result: median(measured), unit: "ms", goal: { atMost, informative: true }, from },
    samples: { measured },
  })
  return [
    { ...against("first listing", first, firstAdd), goal: { atMost: 1 } },
    against("later listing", listed, laterAdd),
    absolute("later listing, in the background", listed, 600, `${files} files, while the model answers`),
    absolute("comparing after a command, in the background", compared, 600, `${CHANGED_FILES} files changed`),
    absolute("wait of a command", watched, 5, "if the listing is finished"),
  ]
}

function ignoredRow({ later }: Lists, ignored: Lists): Row {
  const [without, measured] = [later, ignored.later].map((times) => times.map(({ listed }) => listed))
  const [least, most] = [median(without ?? []), median(measured ?? [])]
  return {
    ...{ benchmark: "undo", what: "later listing with a large ignored directory / without", unit: "×" },
    ...{ result: most / least, goal: { atMost: 1.5 }, from: `${milliseconds(most)}, without ${milliseconds(least)}` },
    samples: { with: measured ?? [], without: without ?? [] },
  }
}

interface Edits {
  readonly recorded: readonly number[]
  readonly unrecorded: readonly number[]
  readonly stored: number
  readonly old: number
}

/** Measures steps that edit one file each, by the times between an answer's end and the next request. */
async function measureEdits(
  model: ModelProcess,
  scratch: Scratch,
  { count, rounds }: { readonly count: number; readonly rounds: number },
): Promise<Edits> {
  const change = "*** Begin Patch\\n*** Update File: $n.ts\\n@@\\n-first line\\n+changed line\\n*** End Patch"
  const prompt = stepsPrompt(count, "apply_patch", `{"patchText": "${change}"}`, ANSWER_MS)
  let [stored, old] = [0, 0]
  const run = async (isRecorded: boolean) => {
    const directory = await scratch.folder()
    const project = join(directory, "project")
    old = await createEdited(project, count)
    const history = isRecorded ? { history: join(directory, "history") } : {}
    const input: EditsInput = {
      ...{ url: model.url, database: join(directory, "pawl.db"), directory: project, prompt },
      ...history,
    }
    const bytes = await runChild<StoredBytes>(editsScript, input)
    if (isRecorded) stored = bytes
    return gaps(await model.take(), count)
  }
  const samples = await interleaved(rounds, { recorded: () => run(true), unrecorded: () => run(false) })
  return { recorded: samples.recorded.flat(), unrecorded: samples.unrecorded.flat(), stored, old }
}

/** Creates the files of all edits. Returns their total size. */
async function createEdited(project: string, count: number): Promise<number> {
  await mkdir(project)
  let size = 0
  for (let index = 1; index <= count; index++) {
    const lines = Array.from({ length: EDITED_LINES }, (_, line) => `const value = ${index * 7919 + line * 104_729}\n`)
    const path = join(project, `${index}.ts`)
    await writeFile(path, `first line\n${lines.join("")}`)
    size += (await stat(path)).size
  }
  git(project, ["init", "--quiet"])
  return size
}

/** Returns the times from the end of each answer to the arrival of the next request, without the first, which loads code. */
function gaps({ exchanges }: Recording, count: number): number[] {
  if (exchanges.length !== count + 1) throw new Error(`${exchanges.length} requests came instead of ${count + 1}.`)
  return exchanges.slice(2).flatMap(({ arrived }, index) => {
    const ended = exchanges[index + 1]?.ended
    return ended === undefined ? [] : [arrived - ended]
  })
}

function editRows({ recorded, unrecorded, stored, old }: Edits): Row[] {
  const [own, least] = [percentile(recorded, 95), percentile(unrecorded, 95)]
  const [middle, leastMiddle] = [median(recorded), median(unrecorded)]
  const samples = { recorded, unrecorded }
  return [
    {
      ...{ benchmark: "undo", what: "added to an edit, 95th percentile", result: own - least, unit: "ms", samples },
      ...{ goal: { atMost: 5, informative: true }, from: `with ${milliseconds(own)}, without ${milliseconds(least)}` },
    },
    {
      ...{ benchmark: "undo", what: "an edit's step / without a history", result: middle / leastMiddle, unit: "×" },
      ...{ from: `medians ${milliseconds(middle)} and ${milliseconds(leastMiddle)}`, samples },
    },
    {
      ...{ benchmark: "undo", what: "stored / old contents of edited files", result: stored / old, unit: "×" },
      ...{ goal: { atMost: 1.1 }, from: `${stored} and ${old} bytes, contents after included`, samples: {} },
    },
  ]
}
