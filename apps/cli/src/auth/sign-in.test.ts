import { PassThrough } from "node:stream"
import type { AuthMethod } from "@pawl/core/plugin"
import { createSecrets } from "@pawl/secrets"
import { expect, it } from "vitest"
import type { SignInOptions } from "./sign-in.ts"
import { signIn } from "./sign-in.ts"
import { API_KEY_METHOD, type SignInMethod } from "@pawl/credentials/sign-in-methods"

/** Nobody sits here; what is written to `stdin` comes in. */
function options() {
  const controller = new AbortController()
  const stdin = new PassThrough()
  const host = { stdin, stderr: { write: () => undefined }, secrets: createSecrets() }
  const stop = { signal: controller.signal, interrupt: () => controller.abort(), dispose: () => undefined }
  const given = { providerID: "acme", host, stop, prompter: undefined } as unknown as SignInOptions
  return { given, stdin, stop }
}

const by = (method: Partial<AuthMethod>): SignInMethod => ({
  ...{
    label: "Browser",
    plugin: { name: "signer", method: { type: "oauth", label: "Browser", ...method } as AuthMethod },
  },
})

const START = { url: "acme:", instructions: "", method: "auto" } as const

it("keeps the key that comes in", async () => {
  const { given, stdin } = options()
  stdin.end("\n a-key \n")

  expect(await signIn(API_KEY_METHOD, given)).toEqual({ providerID: "acme", auth: { type: "api", key: "a-key" } })
})

it("waits for a key no longer than until it is stopped", async () => {
  const { given, stop } = options()
  const going = signIn(API_KEY_METHOD, given)
  stop.interrupt()

  await expect(going).rejects.toThrow("The sign-in was canceled.")
})

it("refuses what is too long for a key", async () => {
  const { given, stdin } = options()
  stdin.end("k".repeat(100_000))

  await expect(signIn(API_KEY_METHOD, given)).rejects.toThrow("too long for a key")
})

it("signs nobody in where a plugin gives nothing", async () => {
  const nothing = { authorize: async () => ({ ...START, callback: async () => undefined as never }) }

  expect(await signIn(by(nothing), options().given)).toBeUndefined()
})

it.each<[string, Partial<AuthMethod>]>([
  [
    "no credential that can be kept",
    {
      authorize: async () => ({
        ...START,
        callback: async () => ({ type: "success", refresh: "r", access: 5 as never }),
      }),
    },
  ],
  [
    "a bug",
    {
      prompts: [
        {
          ...{ type: "text", key: "a", message: "A" },
          isWanted() {
            throw new Error("a bug")
          },
        },
      ],
    },
  ],
])("names the plugin: %s", async (reason, method) => {
  await expect(signIn(by(method), options().given)).rejects.toThrow(
    new RegExp(`^Plugin "signer" could not sign in to "acme": .*${reason}`),
  )
})

it("says that questions need a terminal", async () => {
  const asking = by({ prompts: [{ type: "text", key: "a", message: "Seat" }] })

  await expect(signIn(asking, options().given)).rejects.toThrow('Input needed for "Seat", but stdin is not a terminal.')
})
