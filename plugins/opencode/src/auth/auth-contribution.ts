import type {
  AuthContribution,
  AuthInputs,
  AuthMethod,
  AuthOutcome,
  AuthPrompt,
  KnownProvider,
  OAuthStart,
  PluginInput,
  ProviderOptions,
  StoredAuth,
} from "@pawl/core/plugin"
import { type Fields, isFields } from "./fields.ts"
import { readModels, toldProvider } from "./told-provider.ts"

type Loader = (stored: () => Promise<StoredAuth | undefined>, provider: object) => Promise<unknown>

/**
 * The typed form of a plugin's `auth`. Values of another form stay as they are, and the engine reports them. Reports
 * methods that cannot be used, and leaves them out.
 */
export function authContribution(auth: unknown, problem: PluginInput["problem"]): AuthContribution {
  if (!isFields(auth) || typeof auth["provider"] !== "string") return auth as AuthContribution
  const given: unknown = auth["methods"] ?? []
  const methods = Array.isArray(given) ? authMethods(given, problem) : (given as AuthMethod[])
  const { loader } = auth as { readonly loader?: Loader }
  return {
    provider: auth["provider"],
    methods,
    ...(loader && typeof loader !== "function" ? { loader } : {}),
    ...(typeof loader === "function" && {
      loader: (stored: () => Promise<StoredAuth | undefined>, provider: KnownProvider) =>
        loaded((told) => loader.call(auth, stored, told), provider),
    }),
  }
}

/** A loader may change the models of what it is told, such as what they cost, besides what it returns. */
async function loaded(load: (told: object) => Promise<unknown>, provider: KnownProvider): Promise<ProviderOptions> {
  const told = await toldProvider(provider)
  const before = JSON.stringify(told.models)
  const given = await load(told)
  const { apiKey, baseURL, headers, fetch } = isFields(given) ? given : {}
  return {
    ...(typeof apiKey === "string" ? { apiKey } : {}),
    ...(typeof baseURL === "string" ? { baseURL } : {}),
    ...(isFields(headers) ? { headers: textsOf(headers) } : {}),
    ...(typeof fetch === "function" ? { fetch: fetch as typeof globalThis.fetch } : {}),
    ...(JSON.stringify(told.models) === before ? {} : { models: readModels(told.models) }),
  }
}

function textsOf(headers: Fields): Record<string, string> {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers)
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"))
}

function authMethods(given: readonly unknown[], problem: PluginInput["problem"]): AuthMethod[] {
  return given.flatMap((each, at) => {
    const method = authMethod(each)
    if (!method) problem("auth", `sign-in method ${at + 1} is left out: ${METHOD}`)
    return method ?? []
  })
}

const METHOD = 'give it a `type` of "oauth" or "api", a `label` and, for "oauth", a function `authorize`'

function authMethod(method: unknown): AuthMethod | undefined {
  if (!isFields(method) || typeof method["label"] !== "string") return undefined
  const { label, authorize } = method as { label: string; authorize?: (inputs: AuthInputs) => Promise<never> }
  if (authorize && typeof authorize !== "function") return undefined
  const given = Array.isArray(method["prompts"]) ? (method["prompts"] as unknown[]) : []
  const prompts = given.flatMap((prompt) => authPrompt(prompt) ?? [])
  if (method["type"] === "api") {
    return {
      ...{ type: "api", label, prompts },
      ...(authorize && {
        authorize: async (inputs: AuthInputs): Promise<AuthOutcome> => authorize.call(method, inputs),
      }),
    }
  }
  if (method["type"] !== "oauth" || !authorize) return undefined
  return {
    ...{ type: "oauth", label, prompts },
    async authorize(inputs) {
      const start: OAuthStart = await authorize.call(method, inputs)
      const { url, instructions, method: way } = start
      return { url, instructions, method: way, callback: async (code) => start.callback(code) }
    },
  }
}

function authPrompt(prompt: unknown): AuthPrompt | undefined {
  if (!isFields(prompt) || typeof prompt["key"] !== "string" || typeof prompt["message"] !== "string") return undefined
  const given = prompt as unknown as Partial<AuthPrompt> & { readonly condition?: (inputs: AuthInputs) => boolean }
  const { key, message } = prompt as { key: string; message: string }
  const { type, placeholder, options, when, validate, condition } = given
  return {
    ...{ type: type === "select" ? "select" : "text", key, message },
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(options === undefined ? {} : { options }),
    ...(when === undefined ? {} : { when }),
    validate: (value) => (validate ? validate.call(prompt, value) : undefined),
    isWanted(inputs) {
      if (when) return (inputs[when.key] === when.value) === (when.op === "eq")
      return condition ? condition.call(prompt, inputs) : true
    },
  }
}
