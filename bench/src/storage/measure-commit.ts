import {
  messageID,
  partID,
  sampleSession,
  sampleText,
  sampleUserMessage,
  sessionID,
} from "@pawl/storage-testkit/samples"
import { interleaved, median } from "../measure/statistics.ts"
import { milliseconds } from "../report/amount.ts"
import { type Measure, timed } from "./measure.ts"

const id = sessionID(1)
const GOAL = { atMost: 1.5 }

/** A part of 1 KB, like a small tool result. */
const text = "word ".repeat(200)

/** Compares a commit of one part with default durability with a plain durable write of the same JSON. */
export const measureCommit: Measure = async function commit(subject, { scratch, quick }) {
  await using opened = await subject.open(scratch, { durable: true })
  const { storage, raw } = opened
  await storage.commit(id, [{ type: "session.put", session: sampleSession(id) }])
  await storage.commit(id, [{ type: "message.put", message: sampleUserMessage(id, messageID(1)) }])
  let number = 0
  const samples = await interleaved(quick ? 20 : 400, {
    commit() {
      const part = sampleText(id, messageID(1), partID(++number), { text })
      return timed(() => storage.commit(id, [{ type: "part.put", part }]))
    },
    raw() {
      const json = JSON.stringify(sampleText(id, messageID(1), partID(number), { text }))
      return timed(async () => raw?.write(json))
    },
  })
  const [commit, bare] = [median(samples.commit), median(samples.raw)]
  const common = { benchmark: "storage", samples }
  if (!raw) {
    return [
      {
        ...common,
        what: `${subject.name}: a commit of one part`,
        result: commit,
        unit: "ms",
        from: "nothing to wait for",
      },
    ]
  }
  return [
    {
      ...{ ...common, what: `${subject.name}: a commit of one part / ${raw.what}`, result: commit / bare, unit: "×" },
      ...(subject.name === "file" ? {} : { goal: GOAL }),
      from: `${milliseconds(commit)}, bare ${milliseconds(bare)}`,
    },
  ]
}
