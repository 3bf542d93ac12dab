import { type AskedPatterns, chosenPatternsProblem } from "@pawl/core/permission"
import type { Answer, QuestionPart } from "@pawl/core/record"
import { UsageError } from "../arguments/usage-error.ts"
import { parseChoice } from "../run/choice-question.ts"

const REPLIES: Readonly<Record<string, "once" | "always" | "reject">> = {
  ...{ y: "once", yes: "once", once: "once", a: "always", always: "always", n: "reject", no: "reject" },
}

/** Values of options that belong to an answer. */
export interface GivenDetails {
  readonly message?: string | undefined
  readonly patterns?: readonly string[] | undefined
}

/** Parses the answer on the command line. Throws UsageError if it does not fit the question. */
export function givenAnswer(
  { about }: Pick<QuestionPart, "about">,
  words: readonly string[],
  { message, patterns }: GivenDetails,
): Answer {
  if (about.type === "permission") return permissionAnswer(about, words, { message, patterns })
  if (patterns) throw new UsageError("--pattern goes with always, to a question about a permission.", HELP)
  if (message !== undefined) throw new UsageError("--message goes with no, to a question about a permission.", HELP)
  const { questions } = about
  if (words.length !== questions.length) {
    const count =
      questions.length === 1 ? "one question: give one answer" : `${questions.length} questions: give as many answers`
    throw new UsageError(`It asks ${count}.`, 'In quotation marks where they have spaces, "" for none.')
  }
  const answers = questions.map((choice, at) => {
    const answer = parseChoice((words[at] ?? "").trim(), choice)
    if (answer) return answer
    const labels = choice.options.map(({ label }, number) => `  ${number + 1}  ${label}`)
    throw new UsageError(
      `invalid answer "${words[at]}" to "${choice.header}".`,
      ["To choose from:", ...labels].join("\n"),
    )
  })
  return { type: "choice", answers }
}

function permissionAnswer(asked: AskedPatterns, words: readonly string[], { message, patterns }: GivenDetails): Answer {
  const reply = words.length === 1 ? REPLIES[(words[0] ?? "").toLowerCase()] : undefined
  if (!reply) throw new UsageError(`invalid answer "${words.join(" ")}": expected yes, no or always`, HELP)
  if (message !== undefined && reply !== "reject") throw new UsageError("--message goes with no.", HELP)
  if (patterns && reply !== "always") throw new UsageError("--pattern goes with always.", HELP)
  if (reply === "always" && asked.always.length === 0) {
    throw new UsageError("It cannot be allowed always: the next time it may do something else.", "Say yes or no.")
  }
  const problem = patterns && chosenPatternsProblem(asked, patterns)
  if (problem !== undefined) throw new UsageError(problem, HELP)
  return {
    ...{ type: "permission", reply },
    ...(message === undefined ? {} : { message }),
    ...(patterns && { patterns: [...patterns] }),
  }
}

const HELP = "See: pawl questions answer --help"
