import { plainLine } from "@pawl/plain-text"
import { barredLines } from "@pawl/terminal-text/foreign-lines"
import { plural, wholeSeconds } from "@pawl/terminal-text/quantity"
import type { PickerItem } from "../dialogs/picker.ts"
import type { BackgroundShell } from "../source/source.ts"
import type { Command, UI } from "./command.ts"

export const shells: Command = {
  name: "shells",
  aliases: ["jobs"],
  description: "Show the commands in the background: read one, or stop it.",
  async run(ui) {
    const { session, subagents } = ui.view()
    if (!session) return
    const ids = [session.id, ...subagents.keys()]
    const listed = (await Promise.all(ids.map((id) => ui.source.shells(id)))).flat()
    if (listed.length === 0) return ui.notice("No command runs in the background of this session.")
    const now = Date.now()
    ui.pick<BackgroundShell>({
      title: "Background commands",
      items: listed.map((each) => itemOf(each, now)),
      onPick: (picked) => void print(ui, picked).catch(ui.fail),
      keys: { "ctrl+x": { label: "stops", run: (picked) => void stop(ui, picked).catch(ui.fail) } },
    })
  },
}

function itemOf(shell: BackgroundShell, now: number): PickerItem<BackgroundShell> {
  const { command, end, lastLine } = shell
  const last = lastLine === "" ? "" : ` · ${plainLine(lastLine)}`
  return { value: shell, label: `${end ? "✓" : "●"} ${plainLine(command)}`, detail: `${stateOf(shell, now)}${last}` }
}

function stateOf({ started, end }: BackgroundShell, now: number): string {
  if (!end) return `runs · ${secondsSince(started, now)}`
  const { exit, signal, stopped, time } = end
  const how = stopped ? STOPPED[stopped] : exit === null ? `ended by ${signal ?? "a signal"}` : `exit ${exit}`
  return `${how} after ${secondsSince(started, time)}`
}

const STOPPED: Readonly<Record<NonNullable<NonNullable<BackgroundShell["end"]>["stopped"]>, string>> = {
  ...{ kill: "stopped", timeout: "stopped by its time limit", abort: "aborted" },
}

function secondsSince(since: number, now: number): string {
  return wholeSeconds(Math.max(0, Math.floor((now - since) / 1000)))
}

async function print(ui: UI, shell: BackgroundShell): Promise<void> {
  const { text, omitted } = await ui.source.shellOutput(shell)
  ui.divide(plainLine(shell.command))
  ui.report([
    ...(omitted > 0 ? [ui.theme.faint(`${plural(omitted, "byte")} before this are not shown`)] : []),
    ...(text.trim() === "" ? [ui.theme.faint("no output yet")] : barredLines(text, ui.columns())),
  ])
  ui.divide(shell.end ? stateOf(shell, Date.now()) : "the output so far: /shells shows more")
}

async function stop(ui: UI, shell: BackgroundShell): Promise<void> {
  const isStopped = await ui.source.stopShell(shell)
  ui.notice(`${JSON.stringify(plainLine(shell.command))} ${isStopped ? "was stopped" : "has ended already"}.`)
}
