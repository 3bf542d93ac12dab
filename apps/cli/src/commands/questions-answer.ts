import type { SessionID, Storage } from "@pawl/core"
import type { CommandInput } from "../arguments/command.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { answerWords, questionSubject } from "../render/question-lines.ts"
import { nextCommandFor } from "../run/next-command.ts"
import { givenAnswer } from "../session/given-answer.ts"
import { isUnowned } from "../session/is-unowned.ts"
import { questionByID } from "../session/open-questions.ts"
import { shownBy } from "../session/masked.ts"
import { withEngine } from "@pawl/runtime/session/with-engine"
import { withStorage } from "@pawl/runtime/storage/with-storage"
import type { questionsAnswerOptions } from "./questions.form.ts"

/** Answers a question of this or another process. Rejects with QuestionClosedError if it was already answered. */
export async function questionsAnswer(
  { options, words: [id = "", ...words] }: CommandInput<typeof questionsAnswerOptions>,
  host: Host,
): Promise<ExitCode> {
  const { stdout, program } = host
  return withStorage(host, { url: options.storage }, (storage) =>
    withEngine(storage, async (engine) => {
      const show = shownBy(host, false)
      const question = await questionByID(engine, storage, id)
      const answer = givenAnswer(question, words, options.message)
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
  const { readAncestors } = await import("@pawl/core")
  const session = await storage.getSession(id)
  return (session ? (await readAncestors(storage, session)).at(-1)?.id : undefined) ?? id
}
