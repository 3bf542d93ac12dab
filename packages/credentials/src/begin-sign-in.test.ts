import { expect, it } from "vitest"
import { beginSignIn, type OAuthMethod } from "./begin-sign-in.ts"

const signIn = (url: string): OAuthMethod => ({
  ...{ type: "oauth", label: "Browser" },
  authorize: async () => ({ url, instructions: "", method: "auto", callback: async () => ({ type: "failed" }) }),
})

it.each(["https://a.example/", "HTTP://localhost:1455/", ""])("takes the address %j", async (url) => {
  expect(await beginSignIn("acme", signIn(url), {})).toMatchObject({ url, method: "auto" })
})

it.each(["javascript:alert(1)", "file:///etc/passwd", "a.example"])("refuses the address %j", async (url) => {
  await expect(beginSignIn("acme", signIn(url), {})).rejects.toThrow("it gave no web address to open.")
})
