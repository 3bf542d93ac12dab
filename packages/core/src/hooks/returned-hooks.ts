import type { HookMap, HookName } from "../contracts/hook-map.ts"
import { kindOf } from "../base/kind-of.ts"
import type { ContributionName, PluginHooks } from "./plugin.ts"

/** A value that a plugin returned in place of a handler or a contribution. */
export interface HookMistake {
  readonly hook: HookName
  /** Names the expected value and the one that was found. */
  readonly message: string
}

/**
 * Returns what is wrong with a plugin's hooks, without its tools, which are checked one by one. Getters are left to the
 * first use, because their value may change.
 */
export function hookMistakes(hooks: PluginHooks, rows: HookMap): HookMistake[] {
  return (Object.keys(rows) as HookName[]).flatMap((hook) => {
    const value = valueOf(hooks, hook) ?? valueOf(hooks, `experimental.${hook}`)
    if (isLeftOut(value)) return []
    const problems =
      rows[hook].class === "contribution" ? contributionProblems(hook as ContributionName, value) : notFunction(value)
    return problems.map((message) => ({ hook, message }))
  })
}

function valueOf(hooks: object, key: string): unknown {
  try {
    for (let holder: unknown = hooks; holder; holder = Object.getPrototypeOf(holder)) {
      const property = Object.getOwnPropertyDescriptor(holder, key)
      if (property) return property.value
    }
  } catch {
    // A proxy may refuse.
  }
  return undefined
}

/** Returns whether a contribution has the shape that its readers need. */
export function isContribution(name: ContributionName, value: unknown): boolean {
  return !isLeftOut(value) && shapeProblem(name, value) === undefined
}

function contributionProblems(name: ContributionName, value: unknown): string[] {
  const problem = shapeProblem(name, value)
  if (problem !== undefined) return [problem]
  return name === "auth" ? methodProblems((value as Fields)["methods"]) : []
}

/** Plugins write `isOn && handler`. */
function isLeftOut(value: unknown): boolean {
  return value === undefined || value === null || value === false
}

function notFunction(value: unknown): string[] {
  return typeof value === "function" ? [] : [`expected a function, found ${kindOf(value)}`]
}

function shapeProblem(name: ContributionName, value: unknown): string | undefined {
  if (name === "tool") return undefined
  if (name === "command") return notFunction(value)[0]
  if (!isObject(value)) return `expected an object, found ${kindOf(value)}`
  for (const [key, kind, isRequired] of FIELDS[name]) {
    const field = value[key]
    if (isLeftOut(field) ? isRequired : !isOf(kind, field)) {
      return `expected its \`${key}\` to be ${KINDS[kind]}, found ${kindOf(field)}`
    }
  }
  return undefined
}

type Kind = "function" | "list" | "text"

const KINDS = { function: "a function", list: "a list", text: "a text" } as const

/** The fields of contributions: name, kind, whether the contribution needs it. */
const FIELDS = {
  resource: [
    ["list", "function", true],
    ["read", "function", true],
  ],
  auth: [
    ["provider", "text", true],
    ["methods", "list", false],
    ["loader", "function", false],
  ],
  provider: [
    ["id", "text", true],
    ["models", "function", false],
  ],
} as const satisfies Record<string, readonly (readonly [string, Kind, boolean])[]>

function methodProblems(methods: unknown): string[] {
  if (!Array.isArray(methods)) return []
  return (methods as readonly unknown[]).flatMap((method, at) => {
    const problem = methodProblem(method)
    return problem === undefined ? [] : [`sign-in method ${at + 1} is left out: ${problem}`]
  })
}

function methodProblem(method: unknown): string | undefined {
  if (!isObject(method)) return `expected an object, found ${kindOf(method)}`
  const { type, label, authorize } = method
  if (typeof label !== "string") return `expected its \`label\` to be a text, found ${kindOf(label)}`
  if (type !== "oauth" && type !== "api") return `expected its \`type\` to be "oauth" or "api", found ${kindOf(type)}`
  const isFunction = typeof authorize === "function" || (type === "api" && isLeftOut(authorize))
  return isFunction ? undefined : `expected its \`authorize\` to be a function, found ${kindOf(authorize)}`
}

function isOf(kind: Kind, value: unknown): boolean {
  if (kind === "list") return Array.isArray(value)
  return kind === "text" ? typeof value === "string" : typeof value === "function"
}

type Fields = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
