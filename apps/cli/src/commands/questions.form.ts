import type { CommandForm } from "../arguments/command.ts"
import { done, formattedStorageOptions, rawOptions } from "../command-options.ts"

export const questionsOptions = {
  all: { summary: "list questions of all directories" },
  dir: { value: "<directory>", summary: "directory to use (default: this one)" },
  ...rawOptions,
  ...formattedStorageOptions,
} as const

export const questionsForm = {
  usage: ["questions [options]", "questions answer <id> yes|no|always|<choice>"],
  notes: ["Questions of subagents are listed below their parent session."],
  words: { min: 0, max: 0 },
  options: questionsOptions,
  exitCodes: done,
  examples: [["pawl questions --all", "list the questions of all directories"]],
} as const satisfies CommandForm

export const questionsAnswerOptions = {
  message: { value: "<text>", summary: "with no: what to do instead; the run continues" },
  ...formattedStorageOptions,
} as const

export const questionsAnswerForm = {
  usage: ["questions answer [options] <id> yes|no|always", 'questions answer [options] <id> "<choice>" …'],
  notes: [
    "A unique prefix of the id is enough. Only the first answer to a question is accepted.",
    "A choice is a number of the list, a label or your own text. For several questions, pass one answer each, in their order. " +
      "Separate several choices with commas; '' selects no choice.",
  ],
  words: { min: 2, max: Infinity, missing: "missing question id or answer; list questions: pawl questions" },
  options: questionsAnswerOptions,
  exitCodes: { ...done, 1: "failed, or already answered; the reason is on stderr" },
  examples: [
    ["pawl questions answer prt_7ZZ… yes", "allow it once"],
    ['pawl questions answer prt_7ZZ… no --message "use the test database"', "deny it and say what to do instead"],
    ["pawl questions answer prt_7ZZ… 2", "select the second choice"],
  ],
} as const satisfies CommandForm
