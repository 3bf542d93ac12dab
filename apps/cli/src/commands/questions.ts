import type { Question, Session } from "@pawl/core"
import { type CommandInput, defineCommand } from "../arguments/command.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { barredLines, foreignLine } from "@pawl/terminal-text/foreign-lines"
import { proposedChange } from "@pawl/terminal-text/proposed-change"
import { ago } from "@pawl/terminal-text/quantity"
import { questionSubject } from "@pawl/terminal-text/question-lines"
import { createTheme, type Theme, wantsColour } from "@pawl/terminal-text/theme"
import { clip } from "@pawl/terminal-text/width"
import { callDetails, type QuestionLayout } from "@pawl/terminal-text/permission-question"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import { askingSessions } from "../session/open-questions.ts"
import { shownLocation } from "@pawl/runtime/storage/shown-location"
import { withEngine } from "@pawl/runtime/session/with-engine"
import { withStorage } from "@pawl/runtime/storage/with-storage"
import { directoryOptions, formattedStorageOptions, rawOptions } from "../command-options.ts"
import { type Shown, shownBy } from "../session/masked.ts"

const questionsOptions = {
  all: { summary: "list questions of all directories" },
  ...directoryOptions,
  ...rawOptions,
  ...formattedStorageOptions,
} as const

/** Lists the open questions. */
async function questions({ options }: CommandInput<typeof questionsOptions>, host: Host): Promise<ExitCode> {
  const { stdout, stderr, environment } = host
  const directory = options.all ? undefined : await workDirectory(host, options.dir)
  const theme = createTheme(wantsColour(environment, stdout.isTerminal))
  const columns = stdout.isTerminal ? stdout.columns : 160
  const show = shownBy(host, options.raw)
  return withStorage(host, { url: options.storage }, (storage) =>
    withEngine(storage, async (engine) => {
      let found = 0
      for await (const { session, questions: open } of askingSessions(engine, storage, directory)) {
        found += open.length
        if (options.format === "json") for (const question of open) stdout.write(`${JSON.stringify(show(question))}\n`)
        else {
          const lines = await sessionLines(show(session), open, { columns, theme, hasDirectory: !directory, show })
          stdout.write(`${lines.join("\n")}\n`)
        }
      }
      if (found === 0 && options.format !== "json") {
        const inDirectory = directory === undefined ? "" : ` in ${foreignLine(directory)}`
        stderr.write(`No open questions${inDirectory} (${shownLocation(storage)}).\n`)
      }
      return exitCodes.success
    }),
  )
}

interface QuestionsLayout {
  readonly columns: number
  readonly theme: Theme
  readonly hasDirectory: boolean
  readonly show: Shown
}

async function sessionLines(session: Session, open: readonly Question[], layout: QuestionsLayout): Promise<string[]> {
  const { theme, columns, hasDirectory } = layout
  const directoryText = hasDirectory ? ` · ${foreignLine(session.directory)}` : ""
  const head = clip(`${session.id}  ${foreignLine(session.title)}${directoryText}`, columns)
  const lines = await Promise.all(open.map((question) => questionLines(question, layout)))
  return [theme.strong(head), ...lines.flat()]
}

async function questionLines(stored: Question, { columns, theme, show }: QuestionsLayout): Promise<string[]> {
  const question = show(stored)
  const { id, agent, tool, time, about, sessionID, rootSessionID } = question
  const below = sessionID === rootSessionID ? "" : `, a subagent in ${sessionID}`
  const who = `${foreignLine(tool)} of ${foreignLine(agent)}${below} · ${ago(time.created, Date.now())}`
  const subject =
    about.type === "permission"
      ? barredLines(questionSubject(question), columns, "  ")
      : about.questions.flatMap(({ question: asked, options }) => [
          ...barredLines(asked, columns, "  "),
          ...options.map(({ label }, at) => clip(`    ${at + 1}  ${foreignLine(label)}`, columns)),
        ])
  const unclear = about.type === "permission" ? about.metadata["unclear"] : undefined
  return [
    clip(`  ${id}  ${who}`, columns),
    ...subject,
    ...(await callLines(stored, show, { columns, theme })),
    ...(typeof unclear === "string" ? [theme.faint(clip(`  unclear: ${foreignLine(unclear)}`, columns))] : []),
  ]
}

/** Renders the command or the change that needs the permission, as a run shows it. */
async function callLines(stored: Question, show: Shown, layout: QuestionLayout): Promise<string[]> {
  const { about, tool, input } = stored
  if (about.type !== "permission") return []
  // The stored input, because a masked one would not match the file.
  const change = await proposedChange({ tool, input }, about.metadata["filepath"], (text) => show({ text }).text)
  return callDetails(show(about), { ...show({ input }), change }, layout)
}

export const command = defineCommand({
  usage: ["questions [options]", "questions answer <id> yes|no|always|<choice>"],
  notes: ["Questions of subagents are listed below their parent session."],
  words: { min: 0, max: 0 },
  options: questionsOptions,
  examples: [["pawl questions --all", "list the questions of all directories"]],
  run: questions,
})
