import type { Hono } from "hono"
import { z } from "zod"
import type { AppContext } from "../app-context.ts"
import * as answers from "../openapi/answers.ts"
import type { Operations } from "../openapi/operation.ts"
import { paramOf, readBody } from "../read-request.ts"
import { RequestError } from "../request-error.ts"
import { KEEPS_NO_CREDENTIALS } from "../sign-in/pending-sign-ins.ts"
import { shownMethods } from "../sign-in/provider-methods.ts"

const authBody = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("oauth"), refresh: z.string(), access: z.string(), expires: z.number() }),
  z.looseObject({ type: z.literal("api"), key: z.string() }),
  z.looseObject({ type: z.literal("wellknown"), key: z.string(), token: z.string() }),
])

const method = z.number().int().min(0)
const authorizeBody = z.object({ method, inputs: z.record(z.string(), z.string()).nullish() })
const callbackBody = z.object({
  method,
  code: z
    .string()
    .max(64 * 1024)
    .nullish(),
})

export const signInOperations: Operations = {
  "GET /provider/auth": {
    id: "provider.auth",
    summary: "Returns the sign-in methods of each provider of a plugin, in the order by which they are numbered.",
    answer: z.record(z.string(), z.array(answers.signInMethod)),
  },
  "POST /provider/:providerID/oauth/authorize": {
    id: "provider.oauth.authorize",
    summary: "Begins a sign-in in a browser, and returns the page to open.",
    body: authorizeBody,
    answer: answers.signIn,
  },
  "POST /provider/:providerID/oauth/callback": {
    id: "provider.oauth.callback",
    summary: "Ends a sign-in with the user's code, or waits for the user, and stores the credentials.",
    body: callbackBody,
    answer: answers.yes,
  },
  "PUT /auth/:providerID": {
    id: "auth.set",
    summary: "Stores a provider's credentials.",
    body: authBody,
    answer: answers.yes,
  },
  "DELETE /auth/:providerID": {
    id: "auth.remove",
    summary: "Removes a provider's credentials.",
    answer: answers.yes,
  },
}

/** Routes for the credentials of providers. */
export function addSignInRoutes(app: Hono, { host, signIns }: AppContext): void {
  app.get("/provider/auth", (context) => context.json(shownMethods(host.engine)))
  app.post("/provider/:providerID/oauth/authorize", async (context) => {
    const { method: index, inputs } = await readBody(context, authorizeBody)
    const request = { method: index, inputs: inputs ?? undefined }
    return context.json(await signIns.authorize(paramOf(context, "providerID"), request, context.req.raw.signal))
  })
  app.post("/provider/:providerID/oauth/callback", async (context) => {
    const { method: index, code } = await readBody(context, callbackBody)
    const request = { method: index, code: code ?? undefined }
    await signIns.finish(paramOf(context, "providerID"), request, context.req.raw.signal)
    return context.json(true)
  })
  app.put("/auth/:providerID", async (context) => {
    const auth = await readBody(context, authBody)
    if (!host.setAuth) throw new RequestError("Params", KEEPS_NO_CREDENTIALS)
    await host.setAuth(paramOf(context, "providerID"), auth)
    return context.json(true)
  })
  app.delete("/auth/:providerID", async (context) => {
    if (!host.removeAuth) throw new RequestError("Params", KEEPS_NO_CREDENTIALS)
    await host.removeAuth(paramOf(context, "providerID"))
    return context.json(true)
  })
}
