import { parseArgs } from "node:util"
import type { CommandForm, CommandInput, CommandName, OptionSpec, OptionSpecs, OptionValues } from "./command.ts"
import { type General, generalOptions } from "./general.ts"
import { oneOf } from "./one-of.ts"
import { didYouMean } from "@pawl/config/suggestion"
import { UsageError } from "./usage-error.ts"

/** The parts of a command's form that parsing needs. */
export type ParsedForm<S extends OptionSpecs = OptionSpecs> = Pick<CommandName, "name"> &
  Pick<CommandForm<S>, "words" | "options">

export interface ParsedArguments<S extends OptionSpecs> extends CommandInput<S> {
  /** Values of the options that every command takes. */
  readonly general: General
}

/** Parses the arguments after the command's name. Throws UsageError that names the argument and the next step. */
export function parseArguments<S extends OptionSpecs>(
  spec: ParsedForm<S>,
  args: readonly string[],
): ParsedArguments<S> {
  const hint = `See: pawl ${spec.name} --help`
  // A command's own option takes precedence over a general one of the same name.
  const known: OptionSpecs = { ...generalOptions, ...spec.options }
  const { tokens } = parseArgs({
    args: [...args],
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
    if (value !== undefined) throw new UsageError(`unexpected value "${value}" for ${rawName}`, hint)
    return true
  }
  if (option.isOptional && value === undefined) return true
  const isMissing = value === undefined || value === "" || (!inlineValue && value.length > 1 && value.startsWith("-"))
  if (isMissing) throw new UsageError(`${rawName} requires a value: ${rawName} ${option.value}`, hint)
  if (option.choices && !option.choices.includes(value)) {
    throw new UsageError(`invalid value "${value}" for ${rawName}: expected ${oneOf(option.choices)}`, hint)
  }
  return value
}

function unknownOption(rawName: string, command: string, known: OptionSpecs): string {
  const names = [...Object.keys(known), "help"].map((name) => `--${name}`)
  return `unknown option ${rawName} for pawl ${command}${rawName.startsWith("--") ? didYouMean(rawName, names) : ""}`
}

function checkWords({ words: { min, max, missing }, name }: ParsedForm, words: string[], hint: string): void {
  if (words.length < min) throw new UsageError(missing ?? `missing argument for pawl ${name}`, hint)
  if (words.length > max) throw new UsageError(`unexpected argument "${words[max]}" for pawl ${name}`, hint)
}

function listOf(value: string | true | string[] | undefined): string[] {
  return Array.isArray(value) ? value : []
}
