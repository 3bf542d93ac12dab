import type { CommandForm } from "../arguments/command.ts"
import { done, formattedStorageOptions } from "../command-options.ts"

export const questionsOptions = {
  all: { summary: "of all directories" },
  dir: { value: "<directory>", summary: "of that directory instead of this one" },
  ...formattedStorageOptions,
} as const

export const questionsForm = {
  usage: ["questions [options]", "questions answer <id> yes|no|always|<choice>"],
  notes: ["Those of subagents stand below the session that they work for."],
  words: { min: 0, max: 0 },
  options: questionsOptions,
  exitCodes: done,
  examples: [["pawl questions --all", "what waits for you, anywhere"]],
} as const satisfies CommandForm

export const questionsAnswerOptions = {
  message: { value: "<text>", summary: "with no: what the agent is to do instead; the run goes on" },
  ...formattedStorageOptions,
} as const

export const questionsAnswerForm = {
  usage: ["questions answer [options] <id> yes|no|always", 'questions answer [options] <id> "<choice>" …'],
  notes: [
    "The beginning of an id is enough where no other question has the same. The first answer counts; a second one is refused.",
    "A choice is a number of the list, a label or your own words. Where several questions are asked, one answer for each, in " +
      "their order: several choices of one with commas between, '' for none.",
  ],
  words: { min: 2, max: Infinity, missing: "Which question, and what is the answer? pawl questions lists them." },
  options: questionsAnswerOptions,
  exitCodes: { ...done, 1: "it failed, or somebody else was first; the reason is on stderr" },
  examples: [
    ["pawl questions answer prt_7ZZ… yes", "this once"],
    ['pawl questions answer prt_7ZZ… no --message "use the test database"', "not that, but this"],
    ["pawl questions answer prt_7ZZ… 2", "the second choice"],
  ],
} as const satisfies CommandForm
