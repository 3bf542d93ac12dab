import type { AuthInputs, AuthMethod } from "@pawl/core/plugin"
import { type Credential, credentialOf } from "./credential-of.ts"

export type OAuthMethod = Extract<AuthMethod, { readonly type: "oauth" }>

/** A sign-in that waits for the user in a browser. Nothing is saved yet. */
export interface StartedSignIn {
  readonly url: string
  /** Can be empty. */
  readonly instructions: string
  /** `code`: the user enters a code; `auto`: the plugin detects the sign-in itself. */
  readonly method: "auto" | "code"
  /** Returns the credentials to save; undefined if the sign-in failed. Rejects with the error of the plugin. */
  finish(code?: string): Promise<Credential | undefined>
}

/** Begins the sign-in of a plugin's method. Rejects with the error of the plugin, and with TypeError if it gives no address. */
export async function beginSignIn(providerID: string, method: OAuthMethod, inputs: AuthInputs): Promise<StartedSignIn> {
  const start: unknown = await method.authorize(inputs)
  if (!isStart(start)) throw new TypeError("it gave no address to open.")
  const { url, instructions } = start
  return {
    url,
    instructions: typeof instructions === "string" ? instructions : "",
    method: start.method === "code" ? "code" : "auto",
    async finish(code) {
      return credentialOf(providerID, await (start.method === "code" ? start.callback(code) : start.callback()))
    },
  }
}

type Start = Awaited<ReturnType<OAuthMethod["authorize"]>>

function isStart(value: unknown): value is Start {
  return typeof value === "object" && value !== null && typeof (value as Partial<Start>).url === "string"
}
