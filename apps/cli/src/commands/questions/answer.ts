import type { SessionID, Storage } from "@pawl/core/storage"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { answerWords, questionSubject } from "@pawl/terminal-text/question-lines"
import { nextCommandFor } from "../../run/next-command.ts"
import { givenAnswer } from "../../session/given-answer.ts"
import { isUnowned } from "@pawl/runtime/session/is-unowned"
import { questionByID } from "../../session/open-questions.ts"
import { withEngine } from "@pawl/runtime/session/with-engine"
import { withStorage } from "@pawl/runtime/storage/with-storage"
import { formattedStorageOptions } from "../../command-options.ts"
import { shownBy } from "../../session/masked.ts"

const questionsAnswerOptions = {
  message: { value: "<text>", summary: "with no: what to do instead; the run continues" },
  pattern: {
    value: "<pattern>",
    multiple: true,
    summary: "with always: allow this pattern instead of the proposed one; it must match the asked call",
  },
  ...formattedStorageOptions,
} as const

/** Answers a question of this or another process. Rejects with QuestionClosedError if it was already answered. */
async function questionsAnswer(
  { options, words: [id = "", ...words] }: CommandInput<typeof questionsAnswerOptions>,
  host: Host,
): Promise<ExitCode> {
  const { stdout, program } = host
  return withStorage(host, { url: options.storage }, (storage) =>
    withEngine(storage, async (engine) => {
      const show = shownBy(host, false)
      const question = await questionByID(engine, storage, id)
      const answer = givenAnswer(question, words, { message: options.message, patterns: options.pattern })
      const { id: questionID, sessionID, about } = question
      // The process that runs the session may have ended meanwhile.
      const isIdle = await isUnowned(storage, sessionID)
      await engine.answer({ sessionID, questionID, answer })
      if (options.format === "json") {
        stdout.write(`${JSON.stringify(show({ questionID, sessionID, answer, isIdle }))}\n`)
        return exitCodes.success
      }
      stdout.write(`${questionSubject(show(question))}: ${answerWords(show({ about, answer }))}\n`)
      if (isIdle) {
        const root = await rootSession(storage, sessionID)
        const command = nextCommandFor({ ...host, program }, root, options.storage)
        stdout.write(`No process runs the session. Continue with: ${command.replace(/ "\u2026"$/, "")}\n`)
      }
      return exitCodes.success
    }),
  )
}

async function rootSession(storage: Storage, id: SessionID): Promise<SessionID> {
  const { readAncestors } = await import("@pawl/core/record")
  const session = await storage.getSession(id)
  return (session ? (await readAncestors(storage, session)).at(-1)?.id : undefined) ?? id
}

export const command = defineCommand({
  usage: ["questions answer [options] <id> yes|no|always", 'questions answer [options] <id> "<choice>" …'],
  notes: [
    "A unique prefix of the id is enough. Only the first answer to a question is accepted.",
    "A choice is a number of the list, a label or your own text. For several questions, pass one answer each, in their order. " +
      "Separate several choices with commas; '' selects no choice.",
  ],
  words: { min: 2, max: Infinity, missing: "missing question id or answer; list questions: pawl questions" },
  options: questionsAnswerOptions,
  exitCodes: { 1: "failed, or already answered; the reason is on stderr" },
  examples: [
    ["pawl questions answer prt_7ZZ… yes", "allow it once"],
    [
      "pawl questions answer prt_7ZZ… always --pattern 'git push *'",
      "allow every git push of this agent in its session",
    ],
    ['pawl questions answer prt_7ZZ… no --message "use the test database"', "deny it and say what to do instead"],
    ["pawl questions answer prt_7ZZ… 2", "select the second choice"],
  ],
  run: questionsAnswer,
})
