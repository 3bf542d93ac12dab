import type { DeliveryMode, MessageWithParts, ModelRef } from "@pawl/core"
import type { Theme } from "@pawl/terminal-text/theme"
import type { Attachments } from "../attachments.ts"
import type { PromptHistory } from "../history/prompt-history.ts"
import type { Dialog } from "../dialogs/dialog.ts"
import type { PickList } from "../dialogs/picker.ts"
import type { TextQuestion } from "../dialogs/text-dialog.ts"
import type { KeyChoices } from "../keys/key-table.ts"
import type { EditorKeys } from "../vim/vim-editor.ts"
import type { ModelChoices } from "../models/model-choices.ts"
import type { Source } from "../source/source.ts"
import type { ReportLine, SessionView } from "../state/view.ts"
import type { PromptEditor } from "../terminal/prompt-editor.ts"

/** The UI for commands, on the screen and in plain lines. */
export interface UI {
  readonly source: Source
  readonly theme: Theme
  readonly keys: KeyChoices
  /** False for plain lines: prompts are typed at once, and cannot be proposed. */
  readonly hasEditor: boolean
  /** Prompts of all sessions. */
  readonly history: PromptHistory
  /** Home directory, for paths that begin with `~`. */
  readonly home: string | undefined
  /** Attaches an image to the next prompt. */
  readonly attach: (path: string) => void
  /** Models that the user marked or chose. */
  readonly models: ModelChoices
  /** All slash commands of the UI. */
  readonly commands: readonly Command[]
  /** Returns the shown session. */
  readonly view: () => SessionView
  /** Adds lines to the transcript. */
  readonly report: (lines: readonly ReportLine[]) => void
  /** Adds the blocks of messages to the transcript again. */
  readonly print: (messages: readonly MessageWithParts[]) => void
  /** Columns of the terminal. */
  readonly columns: () => number
  /** Returns true if the old text of a difference is shown beside the new one. */
  readonly isSideBySide: () => boolean
  /** Puts a text on the clipboard. Returns false if the terminal cannot take it. */
  readonly copy: (text: string) => boolean
  /** Adds a faint line to the transcript. */
  readonly notice: (text: string) => void
  /** Adds a line that separates what follows. */
  readonly divide: (text: string) => void
  /** Adds an error to the transcript. */
  readonly fail: (error: unknown) => void
  /** Lets the user choose from a list. */
  readonly pick: <T>(list: PickList<T>) => void
  /** Asks for a text in one line. */
  readonly ask: (question: TextQuestion) => void
  readonly newSession: () => Promise<void>
  readonly openSession: (id: string) => Promise<void>
  /** Selects for the next prompts of this session. */
  readonly choose: (choice: {
    readonly agent?: string
    readonly model?: ModelRef
    readonly variant?: string | undefined
  }) => void
  /** Sends a prompt. `delivery` is for a session that works. */
  readonly send: (text: string, delivery?: DeliveryMode) => void
  /** Runs a shell command of the user. */
  readonly shell: (command: string) => void
  /** Proposes a prompt, which the user can change and send. */
  readonly draft: (text: string) => void
  /** Switches between the usual keys and those of vim. Missing if there is no editor. */
  readonly switchEditor?: () => EditorKeys
  readonly leave: () => void
}

/** The UI for keys, which need an editor and a screen. */
export interface ScreenUI extends UI {
  readonly editor: PromptEditor
  readonly attachments: Attachments
  /** Keeps a prompt for Up, Down and Ctrl-R. */
  readonly remember: (text: string) => void
  /** Opens the prompt in the user's editor, which has the terminal until it ends. */
  readonly editExternally: () => Promise<void>
  /** Puts the prompt aside, or takes it back. Returns false if there is nothing to do. */
  readonly stash: () => boolean
  /** Shows a dialog in place of the editor. */
  readonly show: (dialog: Dialog) => void
  /** Closes the dialog. */
  readonly close: () => void
  /** Shows outputs in full, or folded. Returns the new state. */
  readonly toggleFold: () => boolean
  readonly toggleTodos: () => void
  /** Draws the live region again. */
  readonly redraw: () => void
  /** Stops the process as Ctrl-Z does in other programs. */
  readonly suspend: () => void
  /** Reports a change that no event reports. */
  readonly changed: () => void
}

/** A slash command of the UI. One module each, and one line in `command-list.ts`. */
export interface Command {
  /** Without the slash. */
  readonly name: string
  readonly aliases?: readonly string[]
  /** A sentence for `/help` and for suggestions. */
  readonly description: string
  /** Placeholder of its argument, such as `[focus]`. */
  readonly argument?: string
  /** Runs the command. Errors are shown in the transcript. */
  run(ui: UI, argument: string): void | Promise<void>
}
