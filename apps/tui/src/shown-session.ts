import type { EngineEvent, MessageWithParts } from "@pawl/core"
import type { PermissionRequest } from "@pawl/core/host"
import { formatModelRef } from "@pawl/provider-registry/model-ref"
import { createOwnCommands, type OwnCommands } from "./own-commands.ts"
import type { Source } from "./source/source.ts"
import { messageBlocks } from "./state/blocks-of.ts"
import { isUnfinished } from "./state/unfinished.ts"
import { createViewStore, type ViewStore } from "./state/store.ts"
import type { Block } from "./state/view.ts"

export interface ShownSessionOptions {
  readonly source: Source
  readonly now: () => number
  readonly onChange: () => void
  /** Called with the tokens of the window when the model is known; 0 if they are not. */
  readonly onModel: (tokens: number) => void
}

const UNFINISHED = "The last turn has not ended: /continue resumes it."

/** Begins the ids of blocks that come from no event. */
const OWN_BLOCK = "ui-"

type NewBlock = Block extends infer B ? (B extends Block ? Omit<B, "id" | "isDone"> : never) : never

/** The session that is shown: follows its events, and changes to another one. */
export interface ShownSession {
  readonly store: ViewStore
  readonly ownCommands: Pick<OwnCommands, "sent">
  readonly begin: () => Promise<void>
  readonly open: (id: string) => Promise<void>
  /** Adds a finished block of the UI. */
  readonly add: (block: NewBlock) => void
  /** Adds the blocks of stored messages again. */
  readonly print: (messages: readonly MessageWithParts[]) => void
  readonly measureModel: () => Promise<void>
  readonly close: () => void
}

export function createShownSession({ source, now, onChange, onModel }: ShownSessionOptions): ShownSession {
  const store = createViewStore(onChange)
  let number = 0
  let measured: string | undefined
  const ownCommands = createOwnCommands()
  /** Events that arrive while a session is read. */
  let held: EngineEvent[] | undefined
  const unsubscribe = source.subscribe((event) => {
    if (held) held.push(event)
    else handle(event)
    if (event.type === "message.updated") void measureModel()
  })

  function handle(event: EngineEvent): void {
    ownCommands.follow(event)
    const isAsked = event.type === "permission.asked" && !event.properties.refused
    if (isAsked && ownCommands.needs(event.properties)) return allow(event.properties)
    store.dispatch({ type: "event", event, now: now() })
  }

  /** A rule that asks is answered by typing the command. A rule that denies has denied it already. */
  function allow(request: PermissionRequest): void {
    const question = { type: "permission", request, since: now() } as const
    source
      .answer(question, { type: "permission", reply: "once" })
      .catch((error: unknown) =>
        add({ type: "error", message: error instanceof Error ? error.message : String(error) }),
      )
  }

  function add(block: NewBlock): void {
    store.dispatch({ type: "block", block: { ...block, id: `${OWN_BLOCK}${++number}`, isDone: true } as Block })
  }

  /** Begins with another session. What the UI itself has to say, and has not printed yet, stays. */
  function startOver(): void {
    const own = store.view().blocks.filter(({ id }) => id.startsWith(OWN_BLOCK))
    store.clear()
    for (const block of own) store.dispatch({ type: "block", block })
  }

  async function measureModel(): Promise<void> {
    const { model } = store.view()
    if (!model || formatModelRef(model) === measured) return
    measured = formatModelRef(model)
    const known = await source.models().catch(() => [])
    onModel(known.find(({ ref }) => formatModelRef(ref) === measured)?.context ?? 0)
    onChange()
  }

  /** Replaces the shown session. Events that arrive meanwhile are applied behind what was read. */
  async function replace(open: () => Promise<void>): Promise<void> {
    held ??= []
    try {
      await open()
    } finally {
      const waiting = held ?? []
      held = undefined
      // What was read of a text has some of its deltas, and comes whole at its end.
      const read = new Set(store.view().blocks.map(({ id }) => id))
      for (const event of waiting) {
        if (event.type !== "message.part.delta" || !read.has(event.properties.partID)) handle(event)
      }
    }
    await measureModel()
  }

  return {
    ...{ store, ownCommands },
    add,
    print(messages) {
      for (const block of messages.flatMap(messageBlocks)) add(block)
    },
    measureModel,
    begin: () =>
      replace(async () => {
        const session = await source.newSession()
        const isFirst = store.view().session === undefined
        startOver()
        const { agent, model, variant } = source.usual
        store.dispatch({ type: "opened", session, messages: [], queue: [], questions: [], now: now() })
        store.dispatch({ type: "chosen", agent, model, variant })
        if (!isFirst) add({ type: "divider", text: "new session" })
      }),
    open: (id) =>
      replace(async () => {
        const opened = await source.openSession(id)
        startOver()
        const { agent, model, variant } = source.usual
        store.dispatch({ type: "chosen", agent, model, variant })
        add({ type: "divider", text: `${opened.session.title}${opened.hasMore ? " · its newest messages" : ""}` })
        store.dispatch({ type: "opened", ...opened, now: now() })
        // After a crash, or while another process works on the session.
        const isOver = opened.session.revert !== undefined || opened.questions.length > 0
        if (isUnfinished(opened.messages) && !isOver) add({ type: "notice", text: UNFINISHED })
        if (opened.session.revert)
          add({ type: "divider", text: "the end is undone: /redo takes it back, until the next prompt" })
      }),
    close: unsubscribe,
  }
}
