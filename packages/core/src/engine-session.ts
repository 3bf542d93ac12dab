import type { SessionID } from "./base/ids.ts"
import type { JSONObject } from "./base/json.ts"
import type { PermissionReply } from "./contracts/ask.ts"
import type { EngineEvent } from "./contracts/events.ts"
import type { PromptPart } from "./contracts/prompt.ts"
import type { MessageQuery } from "./contracts/storage.ts"
import type { WaitingPrompt } from "./inbox/deliver.ts"
import type { Question } from "./questions/questions.ts"
import type { Answer, AssistantMessage, MessageWithParts, ModelRef, Session } from "./record/message.ts"
import type { RunResult } from "./run/run-result.ts"
import type { ToolCallRequest } from "./sessions/call-tool.ts"
import type { ForkInput } from "./sessions/fork.ts"
import type { PromptRequest } from "./sessions/prompting.ts"
import type { RemoveOptions } from "./sessions/remove.ts"
import type { SessionEventsOptions } from "./sessions/session-events.ts"
import type { SessionUpdate } from "./sessions/sessions.ts"

/** The end of a run. `text`: what the model wrote in its answer; "" without an answer. */
export type SessionResult = RunResult & { readonly text: string }

/** Options of a prompt. `Engine.prompt` has their contract. */
export type SessionPromptOptions = Omit<PromptRequest, "sessionID" | "parts">

/** An open question: from `questions()`, or the properties of `permission.asked` and `question.asked`. */
export type OpenQuestion = Pick<Question, "sessionID"> & { readonly id: string }

/**
 * Has the methods of `Engine` for one session, without the session's id. Methods reject with NotFoundError if the
 * session does not exist.
 */
export interface EngineSession {
  readonly id: SessionID
  /** Reads the session's record: title, directory, times. */
  info(): Promise<Session>
  update(changes: SessionUpdate): Promise<Session>
  /** Sends a prompt and resolves when the run ends. The result's `type` says how; a failure does not reject. */
  prompt(prompt: string | readonly PromptPart[], options?: SessionPromptOptions): Promise<SessionResult>
  /** Sends a prompt that a running turn reads at its next step. */
  steer(
    prompt: string | readonly PromptPart[],
    options?: Omit<SessionPromptOptions, "delivery">,
  ): Promise<SessionResult>
  /** Sends a prompt that waits until the running turn is over. */
  enqueue(
    prompt: string | readonly PromptPart[],
    options?: Omit<SessionPromptOptions, "delivery">,
  ): Promise<SessionResult>
  /** Runs a tool that the user asks for, without the model. `Engine.callTool` has the contract. */
  callTool(
    tool: string,
    input: JSONObject,
    options?: Omit<ToolCallRequest, "sessionID" | "tool" | "input">,
  ): Promise<MessageWithParts<AssistantMessage>>
  /** Returns the prompts that wait to be delivered, oldest first. */
  queue(): Promise<readonly WaitingPrompt[]>
  withdraw(id: string): Promise<boolean>
  resume(): Promise<SessionResult>
  compact(options?: { readonly focus?: string; readonly model?: ModelRef }): Promise<SessionResult>
  /** Ends the run, its tools and their processes; resolves when everything is settled and stored. */
  abort(): Promise<void>
  /** Returns the open questions of this session and of all sessions below it, oldest first. */
  questions(): Promise<Question[]>
  /** Answers a question: a permission with `once`, `always` or `reject`, a choice with the chosen labels of each question. */
  answer(question: OpenQuestion, answer: PermissionReply | readonly (readonly string[])[] | Answer): Promise<void>
  /** Reads the messages, newest first. */
  messages(page?: MessageQuery): AsyncIterable<MessageWithParts>
  /**
   * Follows the events that this engine publishes about the session, and the questions of the sessions below it, from
   * this call on. While the reader is busy, deltas of a part are joined to one; no event is dropped. The loop ends when
   * it is left, with the signal, when the session is removed, and when the engine closes. It throws SlowReaderError,
   * after the events before, if more than `maxWaiting` events would wait.
   */
  events(options?: SessionEventsOptions): AsyncIterableIterator<EngineEvent>
  /** Copies the session up to a point, all of it by default. */
  fork(point?: Omit<ForkInput, "sessionID">): Promise<EngineSession>
  remove(options?: RemoveOptions): Promise<void>
}
