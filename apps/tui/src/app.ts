import type { DeliveryMode } from "@pawl/core"
import { plural } from "@pawl/terminal-text/quantity"
import type { Theme } from "@pawl/terminal-text/theme"
import { clip } from "@pawl/terminal-text/width"
import { createKeptBlocks } from "./blocks/kept-blocks.ts"
import type { BlockLayout } from "./blocks/layout.ts"
import { transcript, transcriptStart } from "./blocks/transcript.ts"
import { createAttachments } from "./attachments.ts"
import type { ModelChoices } from "./models/model-choices.ts"
import type { PromptHistory } from "./history/prompt-history.ts"
import { pastedImages } from "./terminal/images.ts"
import { commandIn } from "./commands/command-list.ts"
import type { Command, ScreenUI } from "./commands/command.ts"
import { createCompletions } from "./completions.ts"
import type { Dialog } from "./dialogs/dialog.ts"
import { createPicker, type PickList } from "./dialogs/picker.ts"
import { createTextDialog } from "./dialogs/text-dialog.ts"
import { createDraft } from "./draft.ts"
import { createKeyHandler } from "./key-handler.ts"
import { actionsByKey, type KeyChoices } from "./keys/key-table.ts"
import { bottomLines } from "./panels/bottom-lines.ts"
import { SPINNER_MS, statusFacts } from "./panels/status-lines.ts"
import { type DiffForm, isSideBySide } from "./settings/diff-form.ts"
import { createQuestionDialogs } from "./question-dialogs.ts"
import { createFullCompositor } from "./screen/full-compositor.ts"
import type { LiveRegion, ScreenSize } from "./screen/compositor.ts"
import { runShell } from "./actions/run-shell.ts"
import { createScreen, type Frame, type FrameTimer, type Screen, type ScreenOutput } from "./screen/screen.ts"
import { createShownSession } from "./shown-session.ts"
import type { Source } from "./source/source.ts"
import { createShellCount } from "./shell-count.ts"
import { createStatusCommand } from "./status-command.ts"
import type { SessionView } from "./state/view.ts"
import { clipboardSequence } from "./terminal/sequences.ts"
import type { KeyPress } from "./terminal/keys.ts"
import type { RenderMarkdown } from "./terminal/markdown.ts"
import { wrapStyled } from "./terminal/text-width.ts"
import { createPromptEditor } from "./terminal/prompt-editor.ts"
import { createVimEditor, type EditorKeys } from "./vim/vim-editor.ts"

export interface AppOptions {
  readonly source: Source
  readonly output: ScreenOutput
  readonly size: () => ScreenSize
  readonly timer: FrameTimer
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly theme: Theme
  readonly markdown: RenderMarkdown
  readonly commands: readonly Command[]
  readonly keys: KeyChoices
  /** Form of differences. Default: `auto` */
  readonly diff?: DiffForm
  /** Keys of the prompt. Default: the usual ones. */
  readonly editorKeys?: EditorKeys
  /** Terminals that know them get links to files (OSC 8), and marks around prompts (OSC 133). */
  readonly hasLinks?: boolean
  /** A command of the user's own configuration whose output is a line of status. */
  readonly statusCommand?: string | undefined
  /** Called after each change of the shown session. */
  readonly onView?: (view: SessionView) => void
  /** Sends a sequence that draws nothing, such as for the clipboard. */
  readonly sendSequence: (sequence: string) => void
  readonly history: PromptHistory
  readonly models: ModelChoices
  /** Home directory, for pasted paths. */
  readonly home?: string | undefined
  /** Gives the terminal to the user's editor. Resolves with the text that was stored. */
  readonly editExternally: (text: string) => Promise<string>
  /** Leaves the terminal to the shell until the user continues. */
  readonly suspend: (onContinue: () => void) => void
  readonly onLeave: () => void
  /** Uses all rows of the alternate screen, and scrolls in it. Default: finished lines go into the scrollback. */
  readonly isFull?: boolean | undefined
}

/** The running UI. */
export interface App {
  readonly ui: ScreenUI
  /** Resolves when Up finds the prompts of earlier sessions. */
  readonly ready: Promise<void>
  readonly handleKey: (key: KeyPress) => void
  readonly resized: () => void
  /** Draws now. */
  readonly flush: () => void
  /** Removes the live region, so that others can use the terminal until the returned function is called. */
  readonly lend: () => () => void
  /** Sends what the user has typed before the session was there. */
  readonly sendHeld: () => void
  /** Returns the lines of the last turn, to be left on the normal screen. Empty unless the UI uses the alternate screen. */
  readonly lastTurn: () => readonly string[]
  /** Removes the live region. The transcript stays in the scrollback. */
  readonly close: () => void
}

/** Prompts of earlier sessions that Up finds. Ctrl-R finds all. */
const MAX_REMEMBERED = 100

/** Composes state, blocks, dialogs and screen. */
export function createApp(options: AppOptions): App {
  const { source, theme, now, timer, size, commands, keys, history } = options
  const attachments = createAttachments()
  const full = options.isFull
    ? createFullCompositor({
        belowLine: (lines) => theme.faint(clip(`  ↓ ${plural(lines, "line")} below · end: the newest`, size().columns)),
      })
    : undefined
  const keptBlocks = full && createKeptBlocks()
  let end = transcriptStart
  let dialog: Dialog | undefined
  let isUnfolded = false
  let showsTodos = true
  let isClosing = false
  let stashed: string | undefined
  let ticking: (() => void) | undefined
  /** Lines that go into the scrollback although blocks before them are not finished. */
  const above: string[] = []
  /** Lines about the open questions that were printed above: a full screen shows them again after a resize. */
  let shownAbove: readonly string[] = []
  let window = 0
  /** Prompts that were typed before the session was there. */
  const held: string[] = []

  const changed = () => screen.changed()
  const onChange = () => {
    if (store.view().questions.length === 0) draft.takeBack()
    changed()
    options.onView?.(store.view())
  }
  const shown = createShownSession({ source, now, onChange, onModel: (tokens) => (window = tokens) })
  const { store } = shown
  const editor = createVimEditor(
    createPromptEditor({
      theme,
      rows: () => size().rows,
      complete: createCompletions(source, commands),
      onChange: () => screen.changed(true),
    }),
    options.editorKeys,
  )
  const draft = createDraft(editor, now)
  const statusCommand =
    options.statusCommand === undefined
      ? undefined
      : createStatusCommand({ command: options.statusCommand, directory: source.directory, timer, onChange: changed })
  const shellCount = createShellCount({
    ...{ source, timer, onChange: changed },
    sessionIDs: () => {
      const { session, subagents } = store.view()
      return session ? [session.id, ...subagents.keys()] : []
    },
  })
  const questions = createQuestionDialogs({
    source,
    view: store.view,
    now,
    onChange: changed,
    onError: fail,
    print: printAbove,
  })

  function layoutOf(columns: number): BlockLayout {
    return {
      ...{ columns, theme, isUnfolded, markdown: options.markdown, directory: source.directory },
      hasLinks: options.hasLinks ?? false,
      mask: (text: string) => source.mask(text),
    }
  }

  function compose(current: ScreenSize): Frame {
    const { columns, rows } = current
    const layout = layoutOf(columns)
    const { blocks } = store.view()
    const earlier = keptBlocks?.before(columns)
    const isAll = earlier !== undefined
    const printed = isAll
      ? transcript([...earlier, ...blocks], transcriptStart, layout)
      : transcript(blocks, end, layout)
    end = printed.end
    const count = printed.count - (earlier?.length ?? 0)
    keptBlocks?.add(blocks.slice(0, count))
    if (count > 0) store.dispatch({ type: "printed", count })
    const view = store.view()
    const hint = keyHandler.hint()
    const facts = { view, window, now: now(), hint, mode: editor.mode(), shells: shellCount.running() }
    const asked = questions.current(view)
    const active = asked ?? dialog
    const hasDraft = asked !== undefined && !draft.isEmpty()
    statusCommand?.update(statusFacts(view, window, source.directory))
    const own = statusCommand?.line()
    const bottom = bottomLines({
      ...{ facts, editor, hasDraft, dialog: active, showsTodos, stashed, columns, rows, theme, own },
      isSideBySide: isSideBySide(options.diff, columns),
    })
    tick(view.status === "busy" || hint !== undefined)
    const room = Math.max(0, rows - 1 - bottom.lines.length)
    const added = above.splice(0)
    const again = isAll ? shownAbove.flatMap((line) => wrapStyled(line, columns)) : []
    shownAbove = full && view.questions.length > 0 ? [...shownAbove, ...added] : []
    const commits = [...printed.commits, ...again, ...added, ...(isClosing ? printed.live : [])]
    const live = room === 0 || isClosing ? [] : printed.live.slice(-room)
    return { commits, live: shifted(bottom, live), isAll }
  }

  /** Draws again while something moves on the screen. */
  function tick(isMoving: boolean): void {
    ticking?.()
    ticking = isMoving ? timer.after(SPINNER_MS, changed) : undefined
  }

  const screen: Screen = createScreen({ output: options.output, timer, size, compose, compositor: full })

  function printAbove(lines: readonly string[]): void {
    above.push(...lines)
    changed()
  }
  function fail(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error)
    const hint = error instanceof Error && "hint" in error ? error.hint : undefined
    shown.add({ type: "error", message, ...(typeof hint === "string" ? { hint } : {}) })
  }

  function showDialog(next: Dialog): void {
    dialog = next
    changed()
  }
  function closeDialog(): void {
    dialog = undefined
    changed()
  }

  const ui: ScreenUI = {
    ...{
      source,
      theme,
      editor,
      keys,
      commands,
      history,
      attachments,
      fail,
      changed,
      models: options.models,
      hasEditor: true,
      home: options.home,
    },
    view: store.view,
    report: (lines) => shown.add({ type: "report", lines }),
    notice: (text) => shown.add({ type: "notice", text }),
    divide: (text) => shown.add({ type: "divider", text }),
    print: shown.print,
    attach(path) {
      editor.insert(`${attachments.add(path)} `)
      changed()
    },
    columns: () => size().columns,
    isSideBySide: () => isSideBySide(options.diff, size().columns),
    copy(text) {
      const sequence = clipboardSequence(text)
      if (sequence !== undefined) options.sendSequence(sequence)
      return sequence !== undefined
    },
    pick<T>({ onPick, keys: more = {}, ...list }: PickList<T>) {
      const closing = (run: (value: T) => void) => (value: T) => {
        closeDialog()
        run(value)
      }
      const closingKeys = Object.entries(more).map(([name, { label, run }]) => [name, { label, run: closing(run) }])
      const picker = { ...list, onPick: closing(onPick), keys: Object.fromEntries(closingKeys) }
      showDialog(createPicker<T>({ ...picker, onCancel: closeDialog, onChange: changed }))
    },
    ask(question) {
      const onEnter = (text: string) => {
        closeDialog()
        if (text !== "") question.onEnter(text)
      }
      showDialog(createTextDialog({ ...question, onEnter, onCancel: closeDialog }))
    },
    show: showDialog,
    close: closeDialog,
    newSession: () => shown.begin().finally(() => shellCount.refresh()),
    openSession: (id) => shown.open(id).finally(() => shellCount.refresh()),
    choose(choice) {
      store.dispatch({ type: "chosen", variant: store.view().variant, ...choice })
      void shown.measureModel()
    },
    send(text, delivery?: DeliveryMode) {
      full?.scrolling.toEnd()
      const { session, agent, model, variant } = store.view()
      if (!session) {
        held.push(text)
        const queue = held.map((each, at) => ({ id: `held-${at}`, text: each, mode: "start" }))
        return store.dispatch({ type: "queue", queue })
      }
      const files = attachments.filesIn(text)
      void source.prompt({ sessionID: session.id, text, files, agent, model, variant, delivery }).catch(fail)
    },
    shell: (command) => runShell({ source, view: store.view, notice: ui.notice, fail }, shown.ownCommands, command),
    draft(text) {
      editor.setText(text)
      changed()
    },
    remember(text) {
      editor.remember(text)
      // Commands of the UI, such as /quit, are no prompts.
      if (!commandIn(text, commands)) void history.add(text).catch(fail)
    },
    async editExternally() {
      screen.suspend()
      try {
        editor.setText(await options.editExternally(editor.text()))
      } finally {
        screen.resume()
      }
    },
    stash() {
      const text = editor.text()
      if (text === "" && stashed === undefined) return false
      editor.setText(stashed ?? "")
      stashed = text === "" ? undefined : text
      return true
    },
    toggleFold: () => (isUnfolded = !isUnfolded),
    toggleTodos() {
      showsTodos = !showsTodos
      changed()
    },
    redraw: () => screen.resized(),
    suspend: () => options.suspend(lend()),
    switchEditor: () => editor.switchKeys(),
    leave: options.onLeave,
  }

  function lend(): () => void {
    screen.suspend()
    return () => screen.resume()
  }

  /** Inserts a key or a paste into the prompt. Pasted paths of images become attachments. */
  function edit(key: KeyPress): void {
    const images = key.name === "paste" ? pastedImages(key.text ?? "", source.directory, options.home) : undefined
    if (images) editor.insert(images.map((path) => `${attachments.add(path)} `).join(""))
    else editor.handle(key)
  }

  const keyHandler = createKeyHandler({
    ...{ ui, editor, draft, questions, dialog: () => dialog, actions: actionsByKey(keys), edit, now },
    scrolling: full?.scrolling,
  })

  const ready = history.read().then(
    (prompts) => {
      for (const prompt of prompts.slice(-MAX_REMEMBERED)) editor.remember(prompt)
    },
    (error: unknown) => fail(error),
  )

  return {
    ui,
    ready,
    handleKey(key) {
      keyHandler.handle(key)
      screen.changed(true)
    },
    resized: () => screen.resized(),
    flush: () => screen.flush(),
    lend,
    sendHeld() {
      for (const [at, text] of held.splice(0).entries()) ui.send(text, at === 0 ? undefined : "queue")
    },
    lastTurn: () => keptBlocks?.lastTurn(layoutOf(size().columns)) ?? [],
    close() {
      ticking?.()
      statusCommand?.close()
      shellCount.close()
      attachments.close()
      // What is not finished stays as it is now.
      isClosing = true
      screen.flush()
      shown.close()
      screen.close()
    },
  }
}

/** Puts lines above a region. */
function shifted({ lines, caret }: LiveRegion, above: readonly string[]): LiveRegion {
  return {
    lines: [...above, ...lines],
    caret: caret && { row: caret.row + above.length, column: caret.column },
  }
}
