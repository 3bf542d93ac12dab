import type { EventListener } from "./contracts/events.ts"
import type { PluginControl } from "./hooks/plugin-control.ts"
import type { SessionID } from "./base/ids.ts"
import type { AnswerInput } from "./questions/answer.ts"
import type { Question } from "./questions/questions.ts"
import type { ContextReport } from "./sessions/context-report.ts"
import type { WaitingPrompt } from "./inbox/deliver.ts"
import type { ForkInput } from "./sessions/fork.ts"
import type { MessageWithParts, ModelRef, Session } from "./record/message.ts"
import type { PromptRequest } from "./sessions/prompting.ts"
import type { RemoveOptions } from "./sessions/remove.ts"
import type { RunResult } from "./run/run-result.ts"
import type { CreateSessionInput, SessionUpdate } from "./sessions/sessions.ts"
import type { EngineSettings } from "./settings.ts"
import type { MessageQuery, SessionQuery } from "./contracts/storage.ts"

export interface Engine extends AsyncDisposable {
  createSession(input: CreateSessionInput): Promise<Session>
  /**
   * Returns a new session that is stored in one commit with its first prompt, so a crash leaves no session without a
   * prompt. Until then this engine alone knows it: `getSession`, `updateSession` and `prompt` accept its id.
   */
  draftSession(input: CreateSessionInput): Session
  /** Rejects with NotFoundError where there is none; the methods below do the same. */
  getSession(id: SessionID): Promise<Session>
  /** Newest first. */
  listSessions(query?: SessionQuery): AsyncIterable<Session>
  updateSession(id: SessionID, changes: SessionUpdate): Promise<Session>
  /** Those directly below it, newest first. */
  children(id: SessionID): Promise<Session[]>
  /**
   * A new session with copies of the messages before `messageID`, and of the parts before `partID` in it; of all where
   * neither is given. Its title is the source's and a number. Blobs are shared, sessions below the source stay there.
   */
  forkSession(input: ForkInput): Promise<Session>
  /**
   * The session and all below it, when their runs have been ended. Rejects with SessionBusyError, and removes nothing,
   * while another process works on one of them.
   */
  removeSession(id: SessionID, options?: RemoveOptions): Promise<void>
  /**
   * Stores the prompt and works until it is answered. During a run of the same session the prompt joins it and is seen
   * at its next step. Rejects before anything is stored when the session, agent or model is not known, when the agent is
   * not for users to choose, or when another process works on the session; rejects later only when the storage fails.
   *
   * With `delivery` it may be sent to a session at work, in whatever process: it is stored to wait, and the run's owner
   * delivers it exactly once. Where that is another process this resolves with `queued` once the prompt is durable;
   * else with the end of the run, which answers it as well.
   */
  prompt(input: PromptRequest): Promise<RunResult>
  /**
   * Replaces old messages by a summary, whatever the size of the context; `focus` says in the user's words what it is
   * to dwell on. Joins a compaction that is under way, or waits for the step that is. Resolves with type `compacted`,
   * or as the run that it joined; when that was aborted before it was made, nothing of it is left. Rejects with
   * EmptySessionError if nothing was said yet.
   */
  compact(sessionID: SessionID, options?: { readonly focus?: string; readonly model?: ModelRef }): Promise<RunResult>
  /**
   * Adds a note that stays in the context whatever is compacted: the model reads it with the user's next message, and
   * after each compaction. Rejects with RangeError for one that is empty or too long.
   */
  pin(sessionID: SessionID, text: string): Promise<Session>
  /** What the model has read of it stays until the next compaction. Rejects with NotFoundError for an unknown note. */
  unpin(sessionID: SessionID, pinID: string): Promise<Session>
  /** What the next request would hold, for this model or the session's. Sends nothing, runs no tool, stores nothing. */
  context(sessionID: SessionID, options?: { readonly model?: ModelRef }): Promise<ContextReport>
  /** Goes on with what is stored: after a crash, or when `prompt` was called elsewhere. */
  resume(sessionID: SessionID): Promise<RunResult>
  /** The prompts that wait to be delivered, oldest first. */
  queue(sessionID: SessionID): Promise<readonly WaitingPrompt[]>
  /** Takes a waiting prompt back, by its message's id or its `clientID`. False where it waits no more. */
  withdraw(sessionID: SessionID, id: string): Promise<boolean>
  /** What waits for an answer in the session and in all below it, oldest first; in whatever process it was asked. */
  questions(sessionID: SessionID): Promise<Question[]>
  /**
   * Answers an open question; resolves once the answer is stored and counts. A session that nobody works on goes on with
   * it when it is resumed. Rejects with NotFoundError for an unknown question, with TypeError for an answer that does not
   * fit it, with QuestionClosedError where another answer came first, and with SessionBusyError where the process that
   * works on the session takes no answers.
   */
  answer(input: AnswerInput): Promise<void>
  /** Ends the session's run, its tools and their processes; resolves when all is settled and stored. */
  abort(sessionID: SessionID): Promise<void>
  /** The messages of a session, newest first, from before the last compaction too. */
  readMessages(sessionID: SessionID, page?: MessageQuery): AsyncIterable<MessageWithParts>
  readonly plugins: PluginControl
  /** Other settings than those of the options. Sessions at work go on with them at their next step. */
  update(settings: Partial<EngineSettings>): void
  /** Returns the function that ends the subscription. */
  subscribe(listener: EventListener): () => void
  /** Aborts all runs, begins none any more, and disposes the plugins. */
  close(): Promise<void>
}
