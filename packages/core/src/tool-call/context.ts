import { choose } from "../questions/choose.ts"
import { judgeReads } from "./judge-reads.ts"
import type { FileRecorder, PermissionNeed, ToolContext } from "../contracts/tool.ts"
import type { LazyMark } from "../contracts/call-processes.ts"
import { callKey } from "../record/call-key.ts"
import type { CallContext, CallHandles, CallInProgress, ToolCallDeps } from "./call-deps.ts"
import { createFileRecorder } from "./file-changes.ts"
import { mayDelegate } from "./long-output.ts"
import { plainObject } from "./tool-result.ts"
import { whileAlive } from "../base/while-alive.ts"

/** Handles of a call whose tool runs. `signal` ends the tool. */
export interface WorkHandles extends Pick<CallHandles, "journal" | "delegate" | "generator" | "signal"> {
  readonly authorize: (needs: readonly PermissionNeed[], signal: AbortSignal) => Promise<void>
  /** Marks the processes that the call starts. */
  readonly mark: Pick<LazyMark, "env">
  /** Signals progress. */
  readonly alive: () => void
  /** Keeps watching the files of a call whose work continues. Missing if its files are not watched. */
  readonly continues?: FileRecorder["continues"]
}

/**
 * Creates the context of a tool's call. After the call has ended, its methods change nothing. `inactivity`: milliseconds
 * without progress after which the call ends; 0: never.
 */
export function toolContext(
  { hooks, store, calls }: ToolCallDeps,
  run: WorkHandles,
  facts: Pick<CallContext, "rules" | "tools" | "workspace">,
  { call, attempt, questions }: Pick<CallInProgress, "call" | "attempt" | "questions">,
  inactivity: number,
): ToolContext {
  const { journal, signal, alive } = run
  const { sessionID, messageID, callID, agent, rootSessionID, tool } = call
  const { directory, worktree } = facts.workspace
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
    blobs: store.storage.blobs,
    canDelegate: mayDelegate(facts),
    async env() {
      const about = { ...call, cwd: directory }
      const { env } = await hooks.transform("shell.env", about, { env: {} }, signal)
      return { ...calls.environment, ...env, ...run.mark.env() }
    },
    files: {
      ...createFileRecorder({
        blobs: store.storage.blobs,
        signal,
        read: () => attempt.part.changes ?? [],
        write(changes) {
          if (!isOver()) attempt.part = { ...attempt.part, changes: [...changes] }
        },
        commit: () => journal.commit([{ type: "part.put", part: attempt.part }]),
      }),
      ...(run.continues ? { continues: run.continues } : {}),
    },
    judgeReads: () => judgeReads(store.storage, { rootSessionID, agent, rules: facts.rules }),
    async authorize(need) {
      requireGoing()
      await whileAlive({ alive, inactivity }, () => run.authorize([need], signal))
      await journal.commit([])
      questions.tell()
    },
    async generate(request) {
      requireGoing()
      return run.generator.generate(request, { signal, messageID, callID, alive, inactivity })
    },
    async ask(choices) {
      requireGoing()
      const commit = () => journal.commit([])
      return choose(calls, { tool, rootSessionID, questions, store: commit, alive, inactivity }, choices)
    },
    async delegate(task) {
      requireGoing()
      return run.delegate(call, task, { signal, alive, progress: (update) => context.progress(update) })
    },
    progress(update) {
      alive()
      const { part } = attempt
      if (part.state.status !== "running" || isOver()) return
      const title = update.title === undefined ? {} : { title: update.title }
      const metadata = { ...part.state.metadata, ...plainObject(update.metadata ?? {}) }
      attempt.part = { ...part, state: { ...part.state, ...title, metadata } }
      store.bus.publish("message.part.updated", { sessionID, part: attempt.part, time: store.now() })
    },
  }
  return context
}
