import type { Engine } from "@pawl/core"
import type { PartID, SessionID } from "@pawl/core/storage"
import { z } from "zod"

export const reply = z.enum(["once", "always", "reject"])
export const permissionReply = z.object({
  reply,
  message: z.string().optional(),
  /** Own addition: patterns that an answer of `always` allows instead of the proposed ones. */
  patterns: z.array(z.string()).optional(),
})
export const questionReply = z.object({ answers: z.array(z.array(z.string())) })

/** A request of a call to the user. */
interface Request {
  readonly id: string
  readonly sessionID: SessionID
}

export async function answerPermission(
  engine: Pick<Engine, "answer">,
  { id, sessionID }: Request,
  { reply: decision, message, patterns }: z.infer<typeof permissionReply>,
): Promise<void> {
  const details = { ...(message ? { message } : {}), ...(patterns ? { patterns } : {}) }
  const answer = { type: "permission" as const, reply: decision, ...details }
  await engine.answer({ sessionID, questionID: id as PartID, answer })
}

export async function answerQuestion(
  engine: Pick<Engine, "answer">,
  { id, sessionID }: Request,
  { answers }: z.infer<typeof questionReply>,
): Promise<void> {
  await engine.answer({ sessionID, questionID: id as PartID, answer: { type: "choice", answers } })
}

export async function dismissQuestion(engine: Pick<Engine, "answer">, { id, sessionID }: Request): Promise<void> {
  const reason = "The user dismissed this question."
  await engine.answer({ sessionID, questionID: id as PartID, answer: { type: "dismissed", reason } })
}
