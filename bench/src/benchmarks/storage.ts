import { measureAnswer } from "../storage/measure-answer.ts"
import { measureCommit } from "../storage/measure-commit.ts"
import { measureContext } from "../storage/measure-context.ts"
import { measureList } from "../storage/measure-list.ts"
import { measureSearch } from "../storage/measure-search.ts"
import { fileSubject } from "../storage/file-subject.ts"
import { memorySubject } from "../storage/memory-subject.ts"
import { postgresSubject } from "../storage/postgres-subject.ts"
import { sqliteSubject } from "../storage/sqlite-subject.ts"
import type { Row } from "../report/row.ts"
import type { Benchmark } from "./benchmark.ts"

const subjects = [memorySubject, fileSubject, sqliteSubject, postgresSubject]
const measures = [measureCommit, measureContext, measureList, measureAnswer, measureSearch]

export const storages: Benchmark = {
  name: "storage",
  summary: "the four storages side by side, and against their bare medium",
  async run({ scratch, quick, smallest }) {
    const rows: Row[] = []
    for (const measure of measures) {
      for (const subject of subjects) {
        process.stderr.write(`  ${measure.name}: ${subject.name} …\n`)
        rows.push(...(await measure(subject, { scratch, quick, smallest })))
      }
    }
    return rows
  },
}
