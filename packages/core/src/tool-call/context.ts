import { choose, type ChooseDeps } from "../questions/choose.ts"
import type { CallQuestions } from "../questions/call-questions.ts"
import { judgeReads } from "./judge-reads.ts"
import type { PermissionRules } from "../permission/rules.ts"
import type { EventBus } from "../contracts/events.ts"
import type { Hooks } from "../hooks/hooks.ts"
import type { Storage } from "../contracts/storage.ts"
import type { Delegate } from "../contracts/delegate.ts"
import type { PermissionNeed, ToolContext, ToolPlace } from "../contracts/tool.ts"
import type { LazyMark } from "../contracts/call-processes.ts"
import { callKey } from "../record/call-key.ts"
import type { Generator } from "../generate/generate.ts"
import type { Journal } from "../store/journal.ts"
import type { Attempt, ToolCallInfo } from "./attempt.ts"
import { createFileRecorder } from "./file-changes.ts"
import { plainObject } from "./tool-result.ts"
import { whileAlive } from "../base/while-alive.ts"

export interface ToolContextDeps extends ChooseDeps {
  readonly storage: Pick<Storage, "blobs" | "getSession">
  readonly hooks: Pick<Hooks, "transform">
  readonly bus: EventBus
  readonly now: () => number
  /** Environment of the tools' child processes. */
  readonly environment: Readonly<Record<string, string>>
}

export interface ToolContextOf {
  readonly place: ToolPlace
  readonly call: ToolCallInfo
  readonly attempt: Attempt
  readonly rules: PermissionRules
  readonly journal: Journal
  readonly questions: CallQuestions
  readonly delegate: Delegate
  readonly generator: Pick<Generator, "generate">
  readonly authorize: (needs: readonly PermissionNeed[], signal: AbortSignal) => Promise<void>
  readonly canDelegate: boolean
  /** Marks the processes that the call starts. */
  readonly mark: Pick<LazyMark, "env">
  /** Milliseconds without progress after which the call ends. 0: never. */
  readonly inactivity: number
  /** Ends the call's work when it aborts. */
  readonly signal: AbortSignal
  readonly alive: () => void
}

/** Creates the context of a tool's call. After the call has ended, its methods change nothing. */
export function toolContext(deps: ToolContextDeps, of: ToolContextOf): ToolContext {
  const { call, attempt, journal, questions, signal, alive } = of
  const { sessionID, messageID, callID, agent, rootSessionID, tool } = call
  const { directory, worktree } = of.place
  const isOver = () => attempt.result !== undefined || attempt.error !== undefined || signal.aborted
  const requireGoing = () => {
    signal.throwIfAborted()
    if (isOver())
      throw new Error(
        `The ${tool} call has already finished. Await every method of the context before \`execute\` returns.`,
      )
  }

  const context: ToolContext = {
    ...{ directory, worktree, sessionID, messageID, callID, agent, signal },
    idempotencyKey: callKey(call),
    blobs: deps.storage.blobs,
    canDelegate: of.canDelegate,
    async env() {
      const about = { ...call, cwd: directory }
      const { env } = await deps.hooks.transform("shell.env", about, { env: {} }, signal)
      return { ...deps.environment, ...env, ...of.mark.env() }
    },
    files: createFileRecorder({
      blobs: deps.storage.blobs,
      signal,
      read: () => attempt.part.changes ?? [],
      write(changes) {
        if (!isOver()) attempt.part = { ...attempt.part, changes: [...changes] }
      },
      commit: () => journal.commit([{ type: "part.put", part: attempt.part }]),
    }),
    judgeReads: () => judgeReads(deps.storage, { rootSessionID, agent, rules: of.rules }),
    async authorize(need) {
      requireGoing()
      await whileAlive({ alive, inactivity: of.inactivity }, () => of.authorize([need], signal))
      await journal.commit([])
      questions.tell()
    },
    async generate(request) {
      requireGoing()
      return of.generator.generate(request, { signal, messageID, callID, alive, inactivity: of.inactivity })
    },
    async ask(choices) {
      requireGoing()
      const store = () => journal.commit([])
      return choose(deps, { tool, rootSessionID, questions, store, alive, inactivity: of.inactivity }, choices)
    },
    async delegate(task) {
      requireGoing()
      return of.delegate(call, task, { signal, alive, progress: (update) => context.progress(update) })
    },
    progress(update) {
      alive()
      const { part } = attempt
      if (part.state.status !== "running" || isOver()) return
      const title = update.title === undefined ? {} : { title: update.title }
      const metadata = { ...part.state.metadata, ...plainObject(update.metadata ?? {}) }
      attempt.part = { ...part, state: { ...part.state, ...title, metadata } }
      deps.bus.publish("message.part.updated", { sessionID, part: attempt.part, time: deps.now() })
    },
  }
  return context
}
