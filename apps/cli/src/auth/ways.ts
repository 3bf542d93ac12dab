import type { AuthContribution, AuthMethod } from "@pawl/core"
import { UsageError } from "../arguments/usage-error.ts"
import type { Contributed } from "./contributed.ts"

/** A sign-in method of a provider. */
export interface Way {
  readonly label: string
  /** Plugin that provides the method. If absent, the user enters a key. */
  readonly plugin?: { readonly name: string; readonly method: AuthMethod }
}

export const GIVEN_KEY: Way = { label: "API key" }

/** Returns the methods of plugins in order, and the entry of a key unless a plugin asks for one. */
export function waysOf(contributed: readonly Contributed<AuthContribution>[]): readonly Way[] {
  const ways = contributed.flatMap(({ plugin: name, value: { methods = [] } }) =>
    methods
      .filter((method) => isMethod(method))
      .map((method): Way => ({ label: method.label, plugin: { name, method } })),
  )
  const asksForKey = ways.some(({ plugin }) => plugin?.method.type === "api")
  return asksForKey ? ways : [...ways, GIVEN_KEY]
}

/** The way that is meant by a number, a label, or a part of one label alone. Throws UsageError where none is. */
export function wayNamed(ways: readonly Way[], written: string): Way {
  const numbered = /^\d+$/.test(written) ? ways[Number(written) - 1] : undefined
  if (numbered) return numbered
  const name = written.toLowerCase()
  const whole = ways.find(({ label }) => label.toLowerCase() === name)
  const [part, another] = ways.filter(({ label }) => label.toLowerCase().includes(name))
  const found = whole ?? (another ? undefined : part)
  if (found) return found
  const known = ways.map(({ label }, at) => `${at + 1} ${label}`).join(", ")
  throw new UsageError(`--method ${written} does not say which way to sign in. There are: ${known}.`)
}

/** Plugins may give whatever they like. */
function isMethod(given: unknown): given is AuthMethod {
  if (typeof given !== "object" || given === null) return false
  const { type, label, authorize } = given as Readonly<Record<string, unknown>>
  return typeof label === "string" && (type === "api" || (type === "oauth" && typeof authorize === "function"))
}
