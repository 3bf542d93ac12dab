import type { ModelInfo } from "./model.ts"

/** Ways to sign in to a provider, and the resulting options of its requests. */
export interface AuthContribution {
  /** The provider's id. */
  readonly provider: string
  /** Default: the user enters a key. */
  readonly methods?: readonly AuthMethod[]
  /**
   * Returns the options of the provider. Called when the provider is loaded, if the user has signed in to it. `stored`
   * reads the stored credentials again at each call.
   */
  loader?(
    stored: () => Promise<StoredAuth | undefined>,
    provider: KnownProvider,
  ): Promise<ProviderOptions | undefined> | ProviderOptions | undefined
}

/** Changes the models of a provider. */
export interface ProviderContribution {
  /** The provider's id. */
  readonly id: string
  /** Replaces the known models. `auth`: the stored credentials of the provider. */
  models?(
    provider: KnownProvider,
    context: { readonly auth?: StoredAuth },
  ): Promise<readonly ModelInfo[]> | readonly ModelInfo[]
}

/** A provider before any request to it. */
export interface KnownProvider {
  readonly id: string
  readonly name: string
  readonly models: readonly ModelInfo[]
}

/** Options of a provider. A missing field keeps its value. */
export interface ProviderOptions {
  /** If empty, no key is sent. */
  readonly apiKey?: string
  readonly baseURL?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sends the provider's requests. */
  readonly fetch?: typeof globalThis.fetch
  readonly models?: readonly ModelInfo[]
}

/** Stored credentials. Fields that are not named here are stored as well. */
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

export type AuthInputs = Readonly<Record<string, string>>

export type AuthMethod =
  | {
      readonly type: "oauth"
      readonly label: string
      readonly prompts?: readonly AuthPrompt[]
      authorize(inputs: AuthInputs): Promise<OAuthStart>
    }
  | {
      readonly type: "api"
      readonly label: string
      readonly prompts?: readonly AuthPrompt[]
      /** Default: the user enters a key, which is stored unchanged. */
      authorize?(inputs: AuthInputs): Promise<AuthOutcome>
    }

/** A question to the user before the sign-in. */
export interface AuthPrompt {
  readonly type: "text" | "select"
  readonly key: string
  readonly message: string
  readonly placeholder?: string
  readonly options?: readonly { readonly label: string; readonly value: string; readonly hint?: string }[]
  /** Condition on an earlier answer for asking this. */
  readonly when?: { readonly key: string; readonly op: "eq" | "neq"; readonly value: string }
  /** Returns the problem of an answer; undefined if it is valid. */
  validate?(value: string): string | undefined
  /** Returns whether to ask, given the answers so far. Default: `when` decides. */
  isWanted?(inputs: AuthInputs): boolean
}

export interface OAuthStart {
  /** Address to open in a browser. */
  readonly url: string
  readonly instructions: string
  /** `code`: the user enters a code; `auto`: the plugin detects the sign-in itself. */
  readonly method: "auto" | "code"
  callback(code?: string): Promise<AuthOutcome>
}

/** The outcome of a sign-in. Credentials with `refresh` are stored as `oauth`, with `key` as `api`. */
export type AuthOutcome =
  | { readonly type: "failed" }
  | {
      readonly type: "success"
      /** The provider that the credentials are for, if it is another one. */
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
