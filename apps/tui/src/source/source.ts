import type {
  ContextReport,
  DeliveryMode,
  EngineEvent,
  MessageWithParts,
  ModelRef,
  Session,
  SessionDiff,
  UndoReport,
} from "@pawl/core"
import type { Answer } from "@pawl/core/record"
import type { ProposedChange } from "@pawl/terminal-text/proposed-change"
import type { OpenQuestion, QueuedPrompt } from "../state/view.ts"

/** A session as it is stored, with everything that is open in it. */
export interface OpenedSession {
  readonly session: Session
  /** Newest messages, oldest first. */
  readonly messages: readonly MessageWithParts[]
  /** True if there are older messages than these. */
  readonly hasMore: boolean
  readonly queue: readonly QueuedPrompt[]
  readonly questions: readonly OpenQuestion[]
}

export interface AgentChoice {
  readonly name: string
  readonly description?: string
  readonly color?: string
}

export interface ModelChoice {
  readonly ref: ModelRef
  readonly name: string
  /** Tokens of the window; 0 if unknown. */
  readonly context: number
  readonly variants: readonly string[]
}

export interface CommandChoice {
  readonly name: string
  readonly description?: string
}

/** A prompt of the user. Choices that are missing are those of the session. */
export interface SentPrompt {
  readonly sessionID: string
  /** As typed: a slash command of the project, and files and agents behind @. */
  readonly text: string
  readonly agent?: string | undefined
  readonly model?: ModelRef | undefined
  readonly variant?: string | undefined
  /** For a running session. */
  readonly delivery?: DeliveryMode | undefined
}

/** Facts to show beside a question. */
export interface QuestionDetails {
  /** The whole input of the call. */
  readonly input?: Readonly<Record<string, unknown>>
  /** The change that the call would make. */
  readonly change?: ProposedChange
  /** The rule that requires the question. */
  readonly because?: string
}

export interface SessionSearch {
  /** Words of the title. Default: all sessions of the directory. */
  readonly text?: string
  readonly limit: number
}

/**
 * The sessions of a directory, in this process or on a server. The UI knows nothing else of an engine. Methods reject with
 * an Error whose message is a sentence for the user.
 */
export interface Source {
  readonly directory: string
  /** Agent, model and variant of a new session. Without a model, the first answer reports it. */
  readonly usual: {
    readonly agent: string
    readonly model: ModelRef | undefined
    readonly variant?: string | undefined
  }
  mask(text: string): string
  /** Calls back with each event, in order. Returns the function that ends it. */
  subscribe(listener: (event: EngineEvent) => void): () => void
  /** Returns a new session, which is stored with its first prompt. */
  newSession(): Promise<Session>
  openSession(id: string): Promise<OpenedSession>
  sessions(search: SessionSearch): Promise<readonly Session[]>
  children(id: string): Promise<readonly Session[]>
  /** Sends a prompt. Resolves once it is answered, queued or refused; events report everything between. */
  prompt(prompt: SentPrompt): Promise<void>
  /** Continues interrupted work of a session. */
  resume(sessionID: string): Promise<void>
  abort(sessionID: string): Promise<void>
  answer(question: OpenQuestion, answer: Answer): Promise<void>
  details(question: OpenQuestion): Promise<QuestionDetails>
  /** Takes a waiting prompt back. Resolves with false if it was delivered already. */
  withdraw(sessionID: string, promptID: string): Promise<boolean>
  agents(): Promise<readonly AgentChoice[]>
  models(): Promise<readonly ModelChoice[]>
  /** Slash commands that produce prompts: built-in ones, those of files and of plugins. */
  commands(): Promise<readonly CommandChoice[]>
  /** Returns paths of the project that match, the best first. */
  findFiles(query: string, limit: number): Promise<readonly string[]>
  undo(
    sessionID: string,
    point?: { readonly messageID?: string; readonly chat?: boolean; readonly files?: boolean },
  ): Promise<UndoReport>
  redo(sessionID: string): Promise<UndoReport>
  diff(sessionID: string): Promise<SessionDiff>
  compact(sessionID: string, focus?: string): Promise<void>
  context(sessionID: string): Promise<ContextReport>
  fork(sessionID: string, messageID?: string): Promise<Session>
  rename(sessionID: string, title: string): Promise<void>
  remove(sessionID: string): Promise<void>
  close(): Promise<void>
}
