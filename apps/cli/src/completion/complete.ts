import type { CommandForm, CommandName, CommandRow, OptionSpec, Source } from "../arguments/command.ts"
import { generalOptions, nameFirst } from "../arguments/general.ts"
import { commandNamed, commandsOf, everyName } from "../arguments/find-command.ts"

/** A possible completion of the word at the cursor. */
export interface Candidate {
  readonly text: string
  readonly summary: string
}

export interface Completion {
  readonly candidates: readonly Candidate[]
  readonly source?: Source
}

/**
 * Completes the last word. `words` are the words after `pawl` without quotes. The last one is the unfinished word,
 * possibly empty.
 */
export async function complete(commands: readonly CommandRow[], words: readonly string[]): Promise<Completion> {
  const typed = words.at(-1) ?? ""
  const last = words.at(-2)
  const before = nameFirst(words.slice(0, -1))
  const named = commandOf(commands, before, typed)
  if (!named) {
    const options = before.findIndex((word) => word.startsWith("-"))
    const names = options < 0 ? before : before.slice(0, options)
    return (
      ofOptions({ options: generalOptions }, { typed, last, rest: before }) ??
      matching(typed, nextWords(commands, names))
    )
  }
  const { command, rest } = named
  if (rest.includes("--")) return { candidates: [], source: "files" }
  if (command.name === "help" && !typed.startsWith("-")) return matching(typed, nextWords(commands, rest))

  const { command: own } = await command.load()
  const form = { ...own, options: { ...own.options, ...generalOptions } }
  const ofOption = ofOptions(form, { typed, last, rest })
  if (ofOption) return ofOption
  return fromSource(form.words.completes)
}

interface Typed {
  readonly typed: string
  /** The preceding word. */
  readonly last: string | undefined
  readonly rest: readonly string[]
}

/** Completes an option or its value; undefined if the word is neither. */
function ofOptions(form: Pick<CommandForm, "options">, { typed, last, rest }: Typed): Completion | undefined {
  const asking = valueAsked(form, last)
  if (asking) return valuesOf(asking, typed, "")
  const [, name, value] = /^--([\w-]+)=(.*)$/s.exec(typed) ?? []
  if (name !== undefined && value !== undefined) {
    const option = optionOf(form, name)
    return option?.spec.value === undefined ? { candidates: [] } : valuesOf(option, value, `--${name}=`)
  }
  if (!typed.startsWith("-")) return undefined
  return matching(typed, [...optionsLeft(form, rest), HELP, ...("words" in form ? [] : [VERSION])])
}

const HELP: Candidate = { text: "--help", summary: "print the help text" }
const VERSION: Candidate = { text: "--version", summary: "print the version" }

function commandOf(commands: readonly CommandRow[], before: readonly string[], typed: string) {
  const [first = "", second] = before
  const two = commandNamed(commands, `${first} ${second}`)
  if (two) return { command: two, rest: before.slice(2) }
  const one = commandNamed(commands, first)
  // `pawl questions` is a command and also the beginning of others.
  const isWhole = before.length > 1 || typed.startsWith("-") || commandsOf(commands, first).length === 0
  return one && isWhole ? { command: one, rest: before.slice(1) } : undefined
}

/** Returns the possible next words of commands that begin with the given words. */
function nextWords(commands: readonly CommandName[], before: readonly string[]): Candidate[] {
  const below = everyName(commands).filter(({ name }) => before.every((word, at) => name.split(" ")[at] === word))
  const next = Map.groupBy(below, ({ name }) => name.split(" ")[before.length])
  return [...next].flatMap(([text, members]) => {
    if (text === undefined) return []
    const whole = members.find(({ name }) => name.split(" ").length === before.length + 1)
    return [{ text, summary: whole?.summary ?? members.map(({ name }) => name.split(" ").at(-1)).join(", ") }]
  })
}

interface NamedOption {
  readonly name: string
  readonly spec: OptionSpec
}

function optionOf({ options }: Pick<CommandForm, "options">, written: string): NamedOption | undefined {
  const found = Object.entries(options).find(([name, { short }]) => name === written || short === written)
  return found && { name: found[0], spec: found[1] }
}

/** Returns the option whose value is expected next. */
function valueAsked(form: Pick<CommandForm, "options">, last = ""): NamedOption | undefined {
  const [, written] = /^--?([\w-]+)$/.exec(last) ?? []
  const option = written === undefined ? undefined : optionOf(form, written)
  return option?.spec.value === undefined || option.spec.isOptional ? undefined : option
}

function optionsLeft({ options }: Pick<CommandForm, "options">, words: readonly string[]): Candidate[] {
  return Object.entries(options)
    .filter(([name, { short, multiple }]) => {
      return multiple || !words.some((word) => word.split("=")[0] === `--${name}` || word === `-${short}`)
    })
    .map(([name, { summary }]) => ({ text: `--${name}`, summary }))
}

function valuesOf({ spec: { choices, completes, summary } }: NamedOption, typed: string, prefix: string): Completion {
  if (!choices) return fromSource(completes)
  return matching(
    prefix + typed,
    choices.map((text) => ({ text: prefix + text, summary })),
  )
}

function fromSource(source: Source | undefined): Completion {
  return { candidates: [], ...(source === undefined ? {} : { source }) }
}

function matching(typed: string, all: readonly Candidate[]): Completion {
  return { candidates: all.filter(({ text }) => text.startsWith(typed)) }
}
