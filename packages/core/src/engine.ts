import type { EventListener } from "./contracts/events.ts"
import type { PluginControl } from "./hooks/plugin-control.ts"
import type { SessionID } from "./base/ids.ts"
import type { EngineSession } from "./engine-session.ts"
import type { AnswerInput } from "./questions/answer.ts"
import type { Question } from "./questions/questions.ts"
import type { ContextReport } from "./sessions/context-report.ts"
import type { WaitingPrompt } from "./inbox/deliver.ts"
import type { ToolCallRequest } from "./sessions/call-tool.ts"
import type { ForkInput } from "./sessions/fork.ts"
import type { Spent } from "./record/spent.ts"
import type { AssistantMessage, MessageWithParts, ModelRef, Session } from "./record/message.ts"
import type { DiffInput, SessionDiff } from "./undo/session-diff.ts"
import type { RevertInput, UndoReport, UnrevertInput } from "./undo/undo-session.ts"
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
  /**
   * Returns a session to work with: a stored one by its id or record, or a new one, which is stored with its first
   * prompt. Reads nothing, so the methods of the returned session reject if it does not exist. Throws NotFoundError for
   * a text that cannot be an id.
   */
  session(session: string | Pick<Session, "id"> | CreateSessionInput): EngineSession
  /** Rejects with NotFoundError if the session does not exist; the methods below do the same. */
  getSession(id: SessionID): Promise<Session>
  /** Lists sessions, newest first. */
  listSessions(query?: SessionQuery): AsyncIterable<Session>
  updateSession(id: SessionID, changes: SessionUpdate): Promise<Session>
  /** Returns the sessions directly below it, newest first. */
  children(id: SessionID): Promise<Session[]>
  /**
   * Creates a session with copies of the messages before `messageID`, and of the parts before `partID` in that message.
   * Copies all messages if neither is given. The title is the source's title and a number. Blobs are shared; sessions
   * below the source are not copied.
   */
  forkSession(input: ForkInput): Promise<Session>
  /**
   * Ends the runs of the session and of all sessions below it, then removes these sessions. Rejects with
   * SessionBusyError, and removes nothing, while another process works on one of them.
   */
  removeSession(id: SessionID, options?: RemoveOptions): Promise<void>
  /**
   * Stores the prompt and works until it is answered. During a run of the same session the prompt joins that run, which
   * reads it at its next step. Rejects before anything is stored if the session, agent or model is unknown, if users
   * may not choose the agent, or if another process works on the session. Rejects later only if the storage fails.
   *
   * With `delivery` the prompt may be sent to a session that runs in any process: it is stored to wait, and the run's
   * owner delivers it exactly once. If the owner is another process, this resolves with `queued` once the prompt is
   * durable; else with the end of the run, which answers the prompt as well.
   */
  prompt(input: PromptRequest): Promise<RunResult>
  /**
   * Runs a tool that the user asks for, such as a shell command, without the model, under the agent's rules. The model
   * reads the call and its result with the next prompt. Resolves with the answer that holds the call, once it is
   * stored; the call's state says how it ended. Rejects with NotFoundError for an unknown session, agent or model, with
   * SessionBusyError while the session is working, and with AbortError if it was aborted before the call began.
   */
  callTool(request: ToolCallRequest): Promise<MessageWithParts<AssistantMessage>>
  /**
   * Replaces old messages by a summary, whatever the size of the context; `focus` says in the user's words which topics
   * the summary must cover. Joins a running compaction, or waits for the running step. Resolves with type `compacted`,
   * or with the result of the joined run; if that run was aborted before the compaction, the request is removed.
   * Rejects with EmptySessionError if the session has no messages.
   */
  compact(sessionID: SessionID, options?: { readonly focus?: string; readonly model?: ModelRef }): Promise<RunResult>
  /**
   * Adds a note that stays in the context through compactions: the model reads the note with the user's next message,
   * and after each compaction. Rejects with RangeError if the note is empty or too long.
   */
  pin(sessionID: SessionID, text: string): Promise<Session>
  /**
   * Removes a note. If the model has read it, it stays in the context until the next compaction. Rejects with
   * NotFoundError for an unknown note.
   */
  unpin(sessionID: SessionID, pinID: string): Promise<Session>
  /**
   * Reports the contents of the next request, for this model or the session's. Sends nothing, runs no tool, stores
   * nothing.
   */
  context(sessionID: SessionID, options?: { readonly model?: ModelRef }): Promise<ContextReport>
  /**
   * Undoes work of a session from a message or part on: by default the last turn, its messages and its changes of
   * files. A file is only restored to what it was if it still is as the session left it; other changes of it are kept by
   * merging, or the file is left alone and reported as a conflict. Everything stays stored, and `unrevert` takes it back,
   * until the next prompt. Rejects with SessionBusyError while the session is working, and with NotFoundError if nothing
   * is left to undo.
   */
  revert(input: RevertInput): Promise<UndoReport>
  /** Takes undos back, all or only the last. Rejects like `revert`. */
  unrevert(input: UnrevertInput): Promise<UndoReport>
  /**
   * Returns what a session has changed in files, with its subagents: from a message on, in one message or in one call.
   * Paths are relative to the session's directory.
   */
  diff(input: DiffInput): Promise<SessionDiff>
  /** Continues the stored work: after a crash, or when another process called `prompt`. */
  resume(sessionID: SessionID): Promise<RunResult>
  /** Returns the prompts that wait to be delivered, oldest first. */
  queue(sessionID: SessionID): Promise<readonly WaitingPrompt[]>
  /** Removes a waiting prompt, by its message's id or its `clientID`. Resolves with false if it no longer waits. */
  withdraw(sessionID: SessionID, id: string): Promise<boolean>
  /** Returns the open questions of the session and of all sessions below it, oldest first, of all processes. */
  questions(sessionID: SessionID): Promise<Question[]>
  /**
   * Answers an open question; resolves once the answer is stored and valid. If no run owns the session, the answer
   * takes effect when the session is resumed. Rejects with NotFoundError for an unknown question, with TypeError for an
   * answer that does not fit the question, with QuestionClosedError if another answer came first, and with
   * SessionBusyError if the process that works on the session accepts no answers.
   */
  answer(input: AnswerInput): Promise<void>
  /** Ends the session's run, its tools and their processes; resolves when everything is settled and stored. */
  abort(sessionID: SessionID): Promise<void>
  /**
   * Resolves when this engine no longer works on the session, and answers no more of its waiting prompts. After an
   * abort or at a limit, prompts still wait.
   */
  untilIdle(sessionID: SessionID): Promise<void>
  /** Reads the messages of a session, newest first, including those before the last compaction. */
  readMessages(sessionID: SessionID, page?: MessageQuery): AsyncIterable<MessageWithParts>
  /**
   * Returns the usage of each session, without that of the sessions below it. Reads only sessions that have changed
   * since it was last asked. The usage of a session that does not exist is 0.
   */
  spent(sessionIDs: readonly SessionID[]): Promise<ReadonlyMap<SessionID, Spent>>
  readonly plugins: PluginControl
  /** Replaces settings. Running sessions use the new ones from their next step. */
  update(settings: Partial<EngineSettings>): void
  /** Returns the function that ends the subscription. */
  subscribe(listener: EventListener): () => void
  /** Aborts all runs, rejects new ones, and disposes the plugins. */
  close(): Promise<void>
}
