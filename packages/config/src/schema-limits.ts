import { z } from "zod"
import { count, milliseconds, object, oneOf } from "./schema-values.ts"

const dollars = z
  .number({ error: "must be a number of US dollars above 0" })
  .positive({ error: "must be a number of US dollars above 0" })

const amounts = {
  tokens: count.describe("The most tokens, sent and received, cached ones included.").exactOptional(),
  cost: dollars.describe("The most US dollars, subagents included.").exactOptional(),
  requests: count.describe("The most requests to models, failed attempts included.").exactOptional(),
}
const time = { time_ms: milliseconds.describe("The most milliseconds of work; 0 for no end.").exactOptional() }
const run = {
  ...{ steps: count.describe("The most steps.").exactOptional(), ...amounts },
  deadline_ms: milliseconds.describe("The most milliseconds; 0 for no end.").exactOptional(),
}

export const limits = object({
  ...run,
  run: object(run).describe("The same as those beside it, which it goes before.").exactOptional(),
  step: object({ ...amounts, ...time })
    .describe("For each step: a request, its attempts, and what its tools have others do.")
    .exactOptional(),
  session: object({ ...amounts, ...time })
    .describe("For a session and all below it, whatever runs they were at.")
    .exactOptional(),
  day: object({
    ...{ ...amounts, ...time },
    of: oneOf(["storage", "project"])
      .describe("Count all sessions of the storage, or only those of the project. Default: storage.")
      .exactOptional(),
  })
    .describe("For a day, by the local clock, over all processes.")
    .exactOptional(),
}).describe("Limits that end a run, including its subagents, summaries, titles and failed attempts.")
