import { type Argument, behind } from "../words/argument.ts"
import { excerpt } from "../words/quote.ts"

/** The options that a program accepts before its other words. */
export interface OptionSpec {
  /** Letters of options without a value. */
  readonly flags?: string
  /** Letters of options with a value, in the same word or the next one. */
  readonly valued?: string
  /** Letters of options with a value in the same word only. */
  readonly attached?: string
  /** Long names of options without a value, separated by spaces. */
  readonly long?: string
  /** Long names of options with a value. */
  readonly longValued?: string
  /** Further words that count as options: `-5`, `+x`. */
  readonly also?: RegExp
}

export interface Option {
  /** A single letter, or the long name. */
  readonly name: string
  readonly value?: Argument
}

export interface OptionsRead {
  readonly options: readonly Option[]
  /** The words from the first non-option on. */
  readonly rest: readonly Argument[]
  /** A sentence if the options are not understood; then `rest` is empty. */
  readonly problem?: string
}

/** Reads options up to the first non-option, or past `--`. A word that is not literal ends them too. */
export function readOptions(program: string, args: readonly Argument[], spec: OptionSpec): OptionsRead {
  const options: Option[] = []
  let at = 0
  for (;;) {
    const first = args[at]
    if (first?.value === "--") return { options, rest: args.slice(at + 1) }
    if (!first || !isOption(first, spec)) break
    const found = optionsIn(first, spec)
    if (!found) return { options, rest: [], problem: `The option ${excerpt(first.text)} of ${program} is not known.` }
    const value = found.isOpen ? args[at + 1] : undefined
    for (const word of [first, value]) {
      if (word?.value === undefined && word?.isSplit) return { options, rest: [], problem: notOne(program, word) }
    }
    options.push(...found.options)
    const last = options.at(-1)
    if (last && value) options[options.length - 1] = { ...last, value }
    at += found.isOpen ? 2 : 1
  }
  const rest = args.slice(at)
  const [first] = rest
  if (first?.value === undefined && first?.isSplit && options.length > 0)
    return { options, rest: [], problem: notOne(program, first) }
  return { options, rest }
}

function isOption({ prefix }: Argument, spec: OptionSpec): boolean {
  return spec.also?.test(prefix) === true || (prefix.startsWith("-") && prefix !== "-")
}

interface Found {
  readonly options: readonly Option[]
  /** Set if the value of the last option is the next word. */
  readonly isOpen?: boolean
}

/** Returns the options in one word; undefined if one of them is unknown. */
function optionsIn(word: Argument, spec: OptionSpec): Found | undefined {
  if (word.value !== undefined && spec.also?.test(word.value)) return { options: [{ name: word.value }] }
  return word.prefix.startsWith("--") ? longOption(word, spec) : shortOptions(word, spec)
}

function longOption(word: Argument, spec: OptionSpec): Found | undefined {
  const [name = ""] = word.prefix.slice(2).split("=", 1)
  const isValued = spec.longValued?.split(" ").includes(name) === true
  const isFlag = spec.long?.split(" ").includes(name) === true
  if (word.prefix.includes("=") && (isValued || isFlag))
    return { options: [{ name, value: behind(word, name.length + 3) }] }
  if (word.value === undefined) return undefined
  if (isFlag) return { options: [{ name }] }
  return isValued ? { options: [{ name }], isOpen: true } : undefined
}

function shortOptions(word: Argument, spec: OptionSpec): Found | undefined {
  const options: Option[] = []
  const letters = word.prefix.slice(1)
  for (const [index, name] of Array.from(letters).entries()) {
    const isEnd = index === letters.length - 1 && word.value !== undefined
    const attached = isEnd ? { name } : { name, value: behind(word, index + 2) }
    if (spec.attached?.includes(name)) return { options: [...options, attached] }
    if (spec.valued?.includes(name)) return { options: [...options, attached], isOpen: isEnd }
    if (!spec.flags?.includes(name)) return undefined
    options.push({ name })
  }
  // The text after the letters is not literal.
  return word.value === undefined ? undefined : { options }
}

/** An unquoted expansion may become no word or several. */
function notOne(program: string, { text }: Argument): string {
  return `The word ${excerpt(text)} among the options of ${program} may be none or several.`
}

/** Returns the words that are not options, and all words after `--`. */
export function operands(args: readonly Argument[]): Argument[] {
  const end = args.findIndex(({ value }) => value === "--")
  return args.filter((word, index) => (end >= 0 && index > end) || !word.prefix.startsWith("-"))
}

/** Returns the value of the first matching option, from the same word or the next one. */
export function optionValue(args: readonly Argument[], pattern: RegExp): Argument | undefined {
  for (const [index, word] of args.entries()) {
    const found = pattern.exec(word.prefix)
    if (!found) continue
    const isAttached = word.value === undefined || found[0].length < word.value.length
    return isAttached ? behind(word, found[0].length) : args[index + 1]
  }
  return undefined
}
