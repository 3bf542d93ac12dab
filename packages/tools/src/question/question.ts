import { defineTool, type Tool } from "@pawl/core/tool"
import { displayName } from "../display-name.ts"
import { flagField, listField, objectField, optional, textField, toolInput } from "../tool-input.ts"

const option = objectField(
  { label: textField("One to five words"), description: textField("What it means to choose it") },
  "A choice",
)

const input = toolInput("question", {
  questions: listField(
    objectField(
      {
        question: textField("The whole question"),
        header: textField("A heading of at most 30 characters"),
        options: listField(option, "The choices, the one that you would take first", { min: 2, max: 8 }),
        multiple: optional(flagField("Whether several may be chosen")),
        custom: optional(flagField("Whether an answer in the user's own words is taken too (default true)")),
      },
      "A question",
    ),
    "What you need to know",
    { min: 1, max: 4 },
  ),
})
type Input = ReturnType<typeof input.parse>

const MAX_HEADER_LENGTH = 30

/** Asks the user for a decision. */
export function questionTool(): Tool<Input> {
  return defineTool<Input>({
    name: "question",
    description:
      "Asks the user to choose: where a requirement is open, or a decision is theirs. Ask only what you cannot find out yourself, " +
      "and all of it in one call. The user may answer in other words than the options'.",
    ...input,
    effect: "pure",
    deadline: 0,
    permissions: () => [{ permission: "question", patterns: ["*"] }],
    async execute({ questions }, context) {
      const shortQuestions = questions.map((each) => ({ ...each, header: shortened(each.header) }))
      const answers = await context.ask(shortQuestions)
      const lines = questions.map(({ question }, index) => `"${question}": ${answerText(answers[index] ?? [])}`)
      return {
        title: displayName(questions.map(({ header }) => header).join(", ")),
        output: `The user answered:\n${lines.join("\n")}\nGo on with these answers in mind.`,
        metadata: { answers: answers.map((each) => [...each]) },
      }
    },
  })
}

function answerText(chosen: readonly string[]): string {
  return chosen.length === 0 ? "(no answer)" : chosen.map((each) => `"${each}"`).join(", ")
}

function shortened(header: string): string {
  const characters = Array.from(header)
  return characters.length > MAX_HEADER_LENGTH ? `${characters.slice(0, MAX_HEADER_LENGTH - 1).join("")}…` : header
}
