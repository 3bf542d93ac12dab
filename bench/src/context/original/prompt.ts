import type { Entry } from "../entry.ts"

const MAX_OUTPUT_LENGTH = 2000

const INTRO = "Summarize the conversation below, so that another agent can continue the work from the summary alone."

const TEMPLATE = `Use this structure:

## Objective
What is to be achieved.

## Important Details
Instructions, decisions, facts that matter.

## Work State
- Completed:
- Active:
- Blocked:

## Next Move
What comes next.

## Relevant Files
- path: why it matters`

const RULES = "Keep every section, be terse, keep paths, names and error texts as they are."

export const SYSTEM = "You summarize conversations between a user and a coding agent."

/** Builds the only message that the summarizer gets. */
export function summaryRequest(head: readonly Entry[], prior: string | undefined): string {
  return [
    INTRO,
    `<conversation>\n${head.flatMap((entry) => flattened(entry)).join("\n\n")}\n</conversation>`,
    ...(prior === undefined ? [] : [`<prior-summary>\n${prior}\n</prior-summary>`]),
    TEMPLATE,
    RULES,
  ].join("\n\n")
}

function flattened(entry: Entry): string[] {
  if (entry.type === "user") return [`[User]: ${entry.text}`]
  const { text, calls } = entry.answer
  return [
    ...(text === "" ? [] : [`[Assistant]: ${text}`]),
    ...calls.flatMap(({ tool, input, result }) => [
      `[Assistant tool call]: ${tool}(${JSON.stringify(input)})`,
      result.error === undefined ? `[Tool result]: ${shortened(result.output)}` : `[Tool error]: ${result.error}`,
    ]),
  ]
}

function shortened(text: string): string {
  return text.length > MAX_OUTPUT_LENGTH ? `${text.slice(0, MAX_OUTPUT_LENGTH)}\n[truncated]` : text
}
