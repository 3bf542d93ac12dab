import { parseArgs } from "node:util"
import type { CommandForm, CommandInput, CommandName, OptionSpec, OptionSpecs, OptionValues } from "./command.ts"
import { type General, generalOptions } from "./general.ts"
import { oneOf } from "./one-of.ts"
import { suggestion } from "./suggestion.ts"
import { UsageError } from "./usage-error.ts"

/** What the reading of arguments asks of a command. */
export type ParsedForm<S extends OptionSpecs = OptionSpecs> = Pick<CommandName, "name"> &
  Pick<CommandForm<S>, "words" | "options">

export interface ParsedArguments<S extends OptionSpecs> extends CommandInput<S> {
  /** Of the options that every command takes. */
  readonly general: General
}

/** Reads what follows the command's name. Throws UsageError that names the argument and the next step. */
export function parseArguments<S extends OptionSpecs>(
  spec: ParsedForm<S>,
  given: readonly string[],
): ParsedArguments<S> {
  const hint = `See: pawl ${spec.name} --help`
  // An option of the command's own goes before a general one of that name.
  const known: OptionSpecs = { ...generalOptions, ...spec.options }
  const { tokens } = parseArgs({
    args: [...given],
    options: Object.fromEntries(Object.entries(known).map(([name, option]) => [name, toParseOption(option)])),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const values: Values = {}
  const general: Values = {}
  const words: string[] = []
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value)
    if (token.kind !== "option") continue
    const option = Object.hasOwn(known, token.name) ? known[token.name] : undefined
    if (!option) throw new UsageError(unknownOption(token.rawName, spec.name, known), hint)
    const value = readValue(option, token, hint)
    const into = Object.hasOwn(spec.options, token.name) ? values : general
    if (option.multiple && typeof value === "string") into[token.name] = [...listOf(into[token.name]), value]
    else into[token.name] = value
  }
  checkWords(spec, words, hint)
  return { options: values as OptionValues<S>, words, general }
}

type Values = Record<string, string | true | string[]>

function toParseOption({ value, isOptional, short, multiple }: OptionSpec) {
  return {
    type: value === undefined || isOptional ? ("boolean" as const) : ("string" as const),
    ...(short === undefined ? {} : { short }),
    ...(multiple ? { multiple } : {}),
  }
}

interface OptionToken {
  readonly rawName: string
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

function readValue(option: OptionSpec, token: OptionToken, hint: string): string | true {
  const { rawName, value, inlineValue } = token
  if (option.value === undefined) {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value, got "${value}".`, hint)
    return true
  }
  if (option.isOptional && value === undefined) return true
  const isMissing = value === undefined || value === "" || (!inlineValue && value.length > 1 && value.startsWith("-"))
  if (isMissing) throw new UsageError(`${rawName} needs a value: ${rawName} ${option.value}`, hint)
  if (option.choices && !option.choices.includes(value)) {
    throw new UsageError(`${rawName} is ${oneOf(option.choices)}, got "${value}".`, hint)
  }
  return value
}

function unknownOption(rawName: string, command: string, known: OptionSpecs): string {
  const names = [...Object.keys(known), "help"].map((name) => `--${name}`)
  const meant = rawName.startsWith("--") ? suggestion(rawName, names) : undefined
  return `"${rawName}" is no option of pawl ${command}.${meant === undefined ? "" : ` Did you mean ${meant}?`}`
}

function checkWords({ words: { min, max, missing }, name }: ParsedForm, words: string[], hint: string): void {
  if (words.length < min) throw new UsageError(missing ?? `pawl ${name} needs more words.`, hint)
  if (words.length > max) throw new UsageError(`"${words[max]}" is one word too many for pawl ${name}.`, hint)
}

function listOf(value: string | true | string[] | undefined): string[] {
  return Array.isArray(value) ? value : []
}
