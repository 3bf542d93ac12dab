import type { Answer } from "@pawl/core/record"
import type { Source } from "../source/source.ts"
import type { OpenQuestion, SessionView } from "../state/view.ts"

/** Answers a question. Continues a session that had stopped with the question, such as after a crash. */
export async function answerQuestion(
  source: Pick<Source, "answer" | "resume">,
  view: () => SessionView,
  { question, answer }: { readonly question: OpenQuestion; readonly answer: Answer },
): Promise<void> {
  await source.answer(question, answer)
  const { session, status, questions } = view()
  const isLast = questions.every(({ request }) => request.id === question.request.id)
  if (session && status === "idle" && isLast) await source.resume(session.id)
}
