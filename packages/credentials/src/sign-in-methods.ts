import type { AuthContribution, AuthMethod } from "@pawl/core/plugin"
import { UsageError } from "@pawl/config/usage-error"
import type { Contributed } from "./contributed.ts"

/** A sign-in method of a provider. */
export interface SignInMethod {
  readonly label: string
  /** Plugin that provides the method. If absent, the user enters a key. */
  readonly plugin?: { readonly name: string; readonly method: AuthMethod }
}

/** Entry of an API key, without a plugin. */
export const API_KEY_METHOD: SignInMethod = { label: "API key" }

/** Returns the methods of plugins in order, and the entry of a key unless a plugin asks for one. */
export function signInMethods(contributed: readonly Contributed<AuthContribution>[]): readonly SignInMethod[] {
  const methods = contributed.flatMap(({ plugin: name, value: { methods = [] } }) =>
    methods
      .filter((method) => isMethod(method))
      .map((method): SignInMethod => ({ label: method.label, plugin: { name, method } })),
  )
  const asksForKey = methods.some(({ plugin }) => plugin?.method.type === "api")
  return asksForKey ? methods : [...methods, API_KEY_METHOD]
}

/** Finds a method by its number, its label, or a part of only one label. Throws UsageError if there is no such method. */
export function findSignInMethod(methods: readonly SignInMethod[], written: string): SignInMethod {
  const numbered = /^\d+$/.test(written) ? methods[Number(written) - 1] : undefined
  if (numbered) return numbered
  const name = written.toLowerCase()
  const whole = methods.find(({ label }) => label.toLowerCase() === name)
  const [part, another] = methods.filter(({ label }) => label.toLowerCase().includes(name))
  const found = whole ?? (another ? undefined : part)
  if (found) return found
  const known = methods.map(({ label }, at) => `${at + 1} ${label}`).join(", ")
  throw new UsageError(`--method ${written} does not say which way to sign in. There are: ${known}.`)
}

/** Plugins may give whatever they like. */
function isMethod(given: unknown): given is AuthMethod {
  if (typeof given !== "object" || given === null) return false
  const { type, label, authorize } = given as Readonly<Record<string, unknown>>
  if (typeof label !== "string" || (type !== "api" && type !== "oauth")) return false
  return typeof authorize === "function" || (type === "api" && (authorize === undefined || authorize === null))
}
