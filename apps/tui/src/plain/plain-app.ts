import { createInterface } from "node:readline"
import { wrap } from "@pawl/terminal-text/flow"
import type { Theme } from "@pawl/terminal-text/theme"
import { chooseNoteFile, noteIn } from "../actions/add-note.ts"
import { answerQuestion } from "../actions/answer-question.ts"
import { runShell, shellCommand } from "../actions/run-shell.ts"
import { transcript, transcriptStart } from "../blocks/transcript.ts"
import { createAttachments } from "../attachments.ts"
import type { PromptHistory } from "../history/prompt-history.ts"
import type { Command, UI } from "../commands/command.ts"
import { commandIn } from "../commands/command-list.ts"
import type { PickList } from "../dialogs/picker.ts"
import type { TextQuestion } from "../dialogs/text-dialog.ts"
import type { ModelChoices } from "../models/model-choices.ts"
import { createShownSession } from "../shown-session.ts"
import type { Source } from "../source/source.ts"
import { answerWords, choiceAnswer, permissionAnswer, questionLines } from "./plain-answers.ts"

export interface PlainOptions {
  readonly source: Source
  readonly sessionID: string | undefined
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
  readonly columns: () => number
  readonly theme: Theme
  readonly commands: readonly Command[]
  readonly models: ModelChoices
  readonly history: PromptHistory
  /** Home directory, for paths that begin with `~`. */
  readonly home?: string | undefined
  readonly signal: AbortSignal
  readonly notices: readonly string[]
}

/** A list or a question that the next line answers. */
interface Expecting {
  /** Says which answers there are, as an object of "Answer with". */
  readonly answers: () => string
  /** Returns false for an invalid line. */
  readonly take: (typed: string) => boolean
}

/**
 * The UI in lines that are only appended: no colours that matter, no redraws, no spinner, answers by number. For screen
 * readers, terminals without escape sequences, and logs. Resolves with the id of the shown session when the user leaves.
 */
export async function runPlain(options: PlainOptions): Promise<string | undefined> {
  const { source, input, output, theme, commands, signal } = options
  const { promise: left, resolve: leave } = Promise.withResolvers<void>()
  const attachments = createAttachments()
  /** Markers of images for the next prompt. */
  const waiting: string[] = []
  let end = transcriptStart
  let expecting: Expecting | undefined
  let askedID: string | undefined
  let isInputOver = false

  const shown = createShownSession({
    source,
    now: Date.now,
    onChange: () => queueMicrotask(print),
    onModel: () => undefined,
  })
  const { store } = shown
  const say = (lines: readonly string[]) => void output.write(lines.map((line) => `${line}\n`).join(""))

  function print(): void {
    const { columns } = options
    const layout = {
      ...{ columns: columns(), theme, directory: source.directory, isUnfolded: false },
      ...{ mask: (text: string) => source.mask(text), markdown: (text: string, width: number) => wrap(text, width) },
    }
    const printed = transcript(store.view().blocks, end, layout)
    end = printed.end
    if (printed.count > 0) store.dispatch({ type: "printed", count: printed.count })
    if (printed.commits.length > 0) say(printed.commits)
    ask()
    const { status, questions } = store.view()
    // Nothing can be answered any more.
    if (isInputOver && (status === "idle" || questions.length > 0)) leave()
  }

  /** Prints the oldest open question once, with its number of answers. */
  function ask(): void {
    const [question] = store.view().questions
    if (question?.request.id === askedID) return
    askedID = question?.request.id
    expecting = undefined
    if (!question) return
    void source.details(question).then((details) => {
      if (askedID !== question.request.id) return
      const layout = { columns: options.columns(), theme }
      say(["", ...questionLines(question, 0, details, layout)])
      const answers: string[][] = []
      const take = (typed: string) => {
        const given = question.type === "permission" ? permissionAnswer(question, typed) : undefined
        if (question.type === "choice") {
          const choice = question.request.questions[answers.length]
          const labels = choice && choiceAnswer(choice, typed)
          if (!labels) return false
          answers.push(labels)
          if (answers.length < question.request.questions.length) {
            say(questionLines(question, answers.length, details, layout))
            return true
          }
        } else if (!given) return false
        if (typeof given === "string") {
          say([given])
          return true
        }
        expecting = undefined
        const answer = given ?? ({ type: "choice", answers } as const)
        answerQuestion(source, store.view, { question, answer }).catch(fail)
        return true
      }
      expecting = { answers: () => answerWords(question, answers.length), take }
    }, fail)
  }

  function fail(error: unknown): void {
    shown.add({ type: "error", message: error instanceof Error ? error.message : String(error) })
  }
  function pick<T>({ title, items, onPick }: PickList<T>): void {
    say([
      title,
      ...items.map(({ label, detail = "" }, at) => `  ${at + 1}  ${label}${detail === "" ? "" : `, ${detail}`}`),
      "Type a number; an empty line picks nothing.",
    ])
    const take = (typed: string) => {
      const item = items[Number(typed) - 1]
      if (!item && typed !== "") return false
      expecting = undefined
      if (item) onPick(item.value)
      return true
    }
    expecting = { answers: () => `a number from 1 to ${items.length}, or an empty line`, take }
  }
  function askText({ title, text = "", onEnter }: TextQuestion): void {
    say([text === "" ? title : `${title} (now: ${text})`])
    const take = (typed: string) => {
      expecting = undefined
      if (typed !== "") onEnter(typed)
      return true
    }
    expecting = { answers: () => "a text", take }
  }
  const ui: UI = {
    ...{
      source,
      theme,
      keys: {},
      commands,
      models: options.models,
      history: options.history,
      home: options.home,
      fail,
      pick,
      ask: askText,
      leave,
    },
    view: store.view,
    report: (lines) => shown.add({ type: "report", lines }),
    notice: (text) => shown.add({ type: "notice", text }),
    divide: (text) => shown.add({ type: "divider", text }),
    print: shown.print,
    columns: options.columns,
    // Lines that are read aloud must stand below each other.
    isSideBySide: () => false,
    hasEditor: false,
    attach: (path) => void waiting.push(attachments.add(path)),
    copy: () => false,
    newSession: shown.begin,
    openSession: shown.open,
    choose: (choice) => store.dispatch({ type: "chosen", variant: store.view().variant, ...choice }),
    draft: (text) => say(["The prompt was:", ...text.split("\n").map((line) => `  ${line}`)]),
    shell: (command) => runShell({ source, view: store.view, notice: ui.notice, fail }, shown.ownCommands, command),
    send(text, delivery) {
      const { session, agent, model, variant } = store.view()
      if (!session) return
      const whole = [text, ...waiting.splice(0)].join(" ")
      const files = attachments.filesIn(whole)
      void source.prompt({ sessionID: session.id, text: whole, files, agent, model, variant, delivery }).catch(fail)
      options.history.add(text).catch(fail)
    },
  }

  function handleLine(typed: string): void {
    if (expecting) {
      if (!expecting.take(typed)) say([`Answer with ${expecting.answers()}.`])
      return
    }
    if (typed === "") return
    const found = commandIn(typed, commands)
    const command = shellCommand(typed)
    const note = noteIn(typed)
    const send = () => ui.send(typed, store.view().status === "busy" ? "steer" : undefined)
    if (command !== undefined) ui.shell(command)
    else if (note !== undefined) void chooseNoteFile(ui, { note, send }).catch(fail)
    else if (found) void (async () => found.command.run(ui, found.argument))().catch(fail)
    else send()
  }

  const lines = createInterface({ input, terminal: false })
  lines.on("line", (line) => handleLine(line.trim()))
  lines.on("close", () => {
    isInputOver = true
    print()
  })
  signal.addEventListener("abort", () => leave(), { once: true })
  try {
    for (const notice of options.notices) ui.notice(notice)
    await (options.sessionID === undefined ? ui.newSession() : ui.openSession(options.sessionID))
    say(["Type a prompt, or /help. To leave: /quit"])
    if (!signal.aborted) await left
  } finally {
    lines.close()
    attachments.close()
    shown.close()
  }
  return store.view().session?.id
}
