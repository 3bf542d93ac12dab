import type { ModelInfo } from "./model.ts"

/** How people sign in to a provider, and what its requests become by that. */
export interface AuthContribution {
  /** The provider's id. */
  readonly provider: string
  /** Absent: a person gives a key. */
  readonly methods?: readonly AuthMethod[]
  /**
   * Called when the provider is loaded and somebody has signed in to it: what its options become by that. `stored` reads
   * what is kept now, each time anew.
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
  /** In place of those that are known. `auth`: what is kept for the provider. */
  models?(
    provider: KnownProvider,
    context: { readonly auth?: StoredAuth },
  ): Promise<readonly ModelInfo[]> | readonly ModelInfo[]
}

/** A provider as far as it is known before it is asked. */
export interface KnownProvider {
  readonly id: string
  readonly name: string
  readonly models: readonly ModelInfo[]
}

/** What is absent stays as it is. */
export interface ProviderOptions {
  /** Empty: none is sent. */
  readonly apiKey?: string
  readonly baseURL?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sends the provider's requests. */
  readonly fetch?: typeof globalThis.fetch
  readonly models?: readonly ModelInfo[]
}

/** What is kept after signing in. Fields that are not named here are kept as well. */
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
      /** Absent: a person gives a key, which is kept as it is. */
      authorize?(inputs: AuthInputs): Promise<AuthOutcome>
    }

/** What has to be known before. */
export interface AuthPrompt {
  readonly type: "text" | "select"
  readonly key: string
  readonly message: string
  readonly placeholder?: string
  readonly options?: readonly { readonly label: string; readonly value: string; readonly hint?: string }[]
  /** Asked where this holds of what was answered so far. */
  readonly when?: { readonly key: string; readonly op: "eq" | "neq"; readonly value: string }
  /** What is wrong with an answer; undefined where it will do. */
  validate?(value: string): string | undefined
  /** Whether it is to be asked at all, after what was answered so far; absent: `when` decides. */
  isWanted?(inputs: AuthInputs): boolean
}

export interface OAuthStart {
  /** To be opened in a browser. */
  readonly url: string
  readonly instructions: string
  /** `code`: a person brings a code back; `auto`: the plugin finds out by itself. */
  readonly method: "auto" | "code"
  callback(code?: string): Promise<AuthOutcome>
}

/** With `refresh`, what is kept is `oauth`; with `key` it is `api`. */
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
