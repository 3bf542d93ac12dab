/** How people sign in to a provider, as a plugin of OpenCode has it. */
export interface AuthContribution {
  /** The provider's id. */
  readonly provider: string
  readonly methods: readonly AuthMethod[]
  /**
   * What the provider's options become once somebody has signed in: `apiKey`, `baseURL`, a `fetch` of its own and the like.
   * `stored` gives what was kept; the provider is in OpenCode's shape.
   */
  load?(stored: () => Promise<StoredAuth>, provider: object): Promise<Readonly<Record<string, unknown>>>
}

/** What is kept after signing in, in OpenCode's form. */
export type StoredAuth =
  | {
      readonly type: "oauth"
      readonly refresh: string
      readonly access: string
      /** Epoch milliseconds. */
      readonly expires: number
      readonly accountId?: string
      readonly enterpriseUrl?: string
    }
  | { readonly type: "api"; readonly key: string; readonly metadata?: Readonly<Record<string, string>> }
  | { readonly type: "wellknown"; readonly key: string; readonly token: string }

export type AuthMethod =
  | {
      readonly type: "oauth"
      readonly label: string
      readonly prompts: readonly AuthPrompt[]
      authorize(inputs: AuthInputs): Promise<OAuthStart>
    }
  | {
      readonly type: "api"
      readonly label: string
      readonly prompts: readonly AuthPrompt[]
      /** Absent: the key that a person gives is kept as it is. */
      authorize?(inputs: AuthInputs): Promise<AuthOutcome>
    }

export type AuthInputs = Readonly<Record<string, string>>

/** What has to be known before. */
export interface AuthPrompt {
  readonly type: "text" | "select"
  readonly key: string
  readonly message: string
  readonly placeholder?: string
  readonly options?: readonly { readonly label: string; readonly value: string; readonly hint?: string }[]
  readonly when?: { readonly key: string; readonly op: "eq" | "neq"; readonly value: string }
  /** What is wrong with an answer; undefined where it will do. */
  validate(value: string): string | undefined
  /** Whether it is to be asked at all, after what was answered so far. */
  isWanted(inputs: AuthInputs): boolean
}

export interface OAuthStart {
  readonly url: string
  readonly instructions: string
  /** `code`: a person brings a code back; `auto`: the plugin finds out by itself. */
  readonly method: "auto" | "code"
  callback(code?: string): Promise<AuthOutcome>
}

export type AuthOutcome =
  | { readonly type: "failed" }
  | {
      readonly type: "success"
      /** Where it is for another provider. */
      readonly provider?: string
      readonly key?: string
      readonly refresh?: string
      readonly access?: string
      /** Epoch milliseconds. */
      readonly expires?: number
      readonly accountId?: string
      readonly enterpriseUrl?: string
      readonly metadata?: Readonly<Record<string, string>>
    }

type Fields = Readonly<Record<string, unknown>>

/** The typed form of a plugin's `auth`; undefined where it is none. */
export function authContribution(auth: unknown): AuthContribution | undefined {
  if (!isFields(auth) || typeof auth["provider"] !== "string") return undefined
  const given = Array.isArray(auth["methods"]) ? (auth["methods"] as unknown[]) : []
  const methods = given.flatMap((method) => authMethod(method) ?? [])
  const { loader } = auth as { readonly loader?: AuthContribution["load"] }
  return {
    provider: auth["provider"],
    methods,
    ...(typeof loader === "function" && {
      load: async (stored: () => Promise<StoredAuth>, provider: object) =>
        (await loader.call(auth, stored, provider)) ?? {},
    }),
  }
}

function authMethod(method: unknown): AuthMethod | undefined {
  if (!isFields(method) || typeof method["label"] !== "string") return undefined
  const { label, authorize } = method as { label: string; authorize?: (inputs: AuthInputs) => Promise<never> }
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

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null
}
