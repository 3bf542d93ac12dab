import type { EngineEvent } from "@pawl/core"
import type { Source } from "./source.ts"

export interface LateSourceOptions {
  readonly directory: string
  readonly mask: (text: string) => string
  /** Resolves when the engine is open. */
  readonly opening: Promise<Source>
}

type Verb = {
  [K in keyof Source]: Source[K] extends (...args: never[]) => Promise<unknown> ? K : never
}[keyof Source]

/** Returns a source that can be used before its engine is open: calls wait for it, and reject if it cannot be opened. */
export function createLateSource({ directory, mask, opening }: LateSourceOptions): Source {
  const listeners = new Map<(event: EngineEvent) => void, (() => void) | undefined>()
  let source: Source | undefined
  // Each call reports the failure itself.
  void opening.then(
    (opened) => {
      source = opened
      for (const listener of listeners.keys()) listeners.set(listener, opened.subscribe(listener))
    },
    () => undefined,
  )

  function later<K extends Verb>(verb: K): Source[K] {
    const call = async (...args: readonly unknown[]) => {
      const opened = source ?? (await opening)
      const method = opened[verb] as (...args: readonly unknown[]) => Promise<unknown>
      return method(...args)
    }
    return call as unknown as Source[K]
  }

  return {
    ...{ directory, mask },
    get usual() {
      if (!source) throw new Error("The engine is not open yet.")
      return source.usual
    },
    subscribe(listener) {
      listeners.set(listener, source?.subscribe(listener))
      return () => {
        listeners.get(listener)?.()
        listeners.delete(listener)
      }
    },
    newSession: later("newSession"),
    openSession: later("openSession"),
    sessions: later("sessions"),
    children: later("children"),
    messages: later("messages"),
    search: later("search"),
    spending: later("spending"),
    export: later("export"),
    prompt: later("prompt"),
    resume: later("resume"),
    abort: later("abort"),
    shell: later("shell"),
    shells: later("shells"),
    shellOutput: later("shellOutput"),
    stopShell: later("stopShell"),
    subagents: later("subagents"),
    answer: later("answer"),
    details: later("details"),
    withdraw: later("withdraw"),
    agents: later("agents"),
    models: later("models"),
    commands: later("commands"),
    findFiles: later("findFiles"),
    undo: later("undo"),
    redo: later("redo"),
    diff: later("diff"),
    noteFiles: later("noteFiles"),
    addNote: later("addNote"),
    compact: later("compact"),
    context: later("context"),
    fork: later("fork"),
    rename: later("rename"),
    remove: later("remove"),
    close: later("close"),
  }
}
