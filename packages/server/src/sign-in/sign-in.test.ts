import { createServer, type Server as HttpServer } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { setImmediate as immediate } from "node:timers/promises"
import { createOpencodeClient } from "@opencode-ai/sdk/v2"
import type { AuthContribution, AuthMethod, AuthOutcome, StoredAuth } from "@pawl/core/plugin"
import { describe, expect, it, onTestFinished } from "vitest"
import { serving } from "../../test/serving.ts"
import { createServerApp } from "../app.ts"
import { createServer as createPawlServer, listen } from "../index.ts"
import { createPendingSignIns } from "./pending-sign-ins.ts"

const SECRETS = ["the-right-code", "a-wrong-code", "the-access-token", "the-refresh-token"]

/** An authorization server: codes are exchanged at `/token`, and a device is approved by `approve`. */
async function authorizationServer() {
  const { promise: approved, resolve: approve } = Promise.withResolvers<void>()
  const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>()
  const { promise: ended, resolve: onEnd } = Promise.withResolvers<void>()
  const server: HttpServer = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost")
    if (pathname === "/device") onAsked()
    const isRight = pathname === "/device" || searchParams.get("code") === "the-right-code"
    const tokens = { access: "the-access-token", refresh: "the-refresh-token" }
    const answer = isRight ? tokens : { error: `bad code ${searchParams.get("code") ?? ""}` }
    void (pathname === "/device" ? approved : Promise.resolve()).then(() =>
      response.writeHead(isRight ? 200 : 400, { "content-type": "application/json" }).end(JSON.stringify(answer)),
    )
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    approve()
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  /** Approves the device, and waits until the plugin has its tokens, and those who await them have run. */
  async function approveLate(): Promise<void> {
    approve()
    await ended
    await immediate()
  }
  return { url, approve, approveLate, asked, onEnd }
}

async function tokensOf(answer: Response): Promise<AuthOutcome> {
  const body = (await answer.json()) as { access: string; refresh: string; error?: string }
  if (!answer.ok) throw new Error(`${body.error ?? ""}, with the-access-token`)
  return { type: "success", ...body, expires: 5 }
}

type Authorization = Awaited<ReturnType<typeof authorizationServer>>

function methodsAt({ url, onEnd }: Authorization): AuthMethod[] {
  return [
    { type: "api", label: "Key" },
    {
      ...{ type: "oauth", label: "Code" },
      prompts: [
        {
          ...{ type: "select", key: "plan", message: "Plan?", options: [{ label: "Free", value: "free" }] },
          isWanted: () => true,
        },
        {
          ...{ type: "text", key: "seat", message: "Seat?", placeholder: "12" },
          ...{ when: { key: "plan", op: "neq", value: "free" } },
          validate: (seat) => (seat === "12" ? undefined : "There is seat 12."),
        },
      ],
      authorize: async ({ plan = "none", seat = "none" }) => ({
        ...{ url: `${url}/authorize?plan=${plan}&seat=${seat}`, instructions: "Bring the code.", method: "code" },
        callback: async (code = "") => tokensOf(await fetch(`${url}/token?code=${code}`)),
      }),
    },
    {
      ...{ type: "oauth", label: "Device" },
      authorize: async () => ({
        ...{ url: `${url}/page`, instructions: "Approve it there.", method: "auto" },
        callback: async () => tokensOf(await fetch(`${url}/device`)).finally(onEnd),
      }),
    },
    {
      type: "oauth",
      label: "Declined",
      authorize: async () => ({
        ...{ url: `${url}/page`, instructions: "", method: "auto" },
        callback: async () => ({ type: "failed" }),
      }),
    },
    {
      type: "oauth",
      label: "Broken",
      authorize: () => Promise.reject(new Error("it answered the-access-token")),
    },
    { type: "oauth", label: "Nothing", authorize: async () => ({}) as never },
  ]
}

const [KEY, CODE, DEVICE, DECLINED, BROKEN, NOTHING] = [0, 1, 2, 3, 4, 5]

/** An app with the plugin, and a clock that is moved by hand. */
async function scene(contributions?: (authorization: Authorization) => AuthContribution[]) {
  const authorization = await authorizationServer()
  const { url } = authorization
  const stored: (readonly [string, StoredAuth])[] = []
  const timers = new Set<() => void>()
  const all = contributions?.(authorization) ?? [{ provider: "acme", methods: methodsAt(authorization) }]
  const serve = await serving({
    plugins: all.map((auth, at) => ({ id: `signer-${at}`, plugin: () => ({ auth }) })),
    host: {
      setAuth: async (...entry) => void stored.push(entry),
    },
  })
  const startTimer = (_ms: number, onEnd: () => void) => {
    timers.add(onEnd)
    return () => void timers.delete(onEnd)
  }
  const signIns = createPendingSignIns(serve.host, { startTimer })
  const app = createServerApp(serve.host, undefined, { signIns })
  onTestFinished(() => serve[Symbol.asyncDispose]())
  const texts: string[] = []
  const post = async (path: string, body: object, signal?: AbortSignal) => {
    const init = { method: "POST", body: JSON.stringify(body), ...(signal ? { signal } : {}) }
    const answer = await app.request(path, init)
    const text = await answer.text()
    texts.push(text)
    return { status: answer.status, body: JSON.parse(text) as unknown }
  }
  return {
    ...{ serve, app, stored, signIns, timers, authorization, url, texts },
    authorize: (method: number | undefined, inputs?: object, provider = "acme") =>
      post(`/provider/${provider}/oauth/authorize`, { method, inputs }),
    callback: (method: number | undefined, code?: string, { provider = "acme", signal }: CallbackOptions = {}) =>
      post(`/provider/${provider}/oauth/callback`, { method, code }, signal),
    letTimePass: () => {
      for (const onEnd of [...timers]) onEnd()
    },
  }
}

interface CallbackOptions {
  readonly provider?: string
  readonly signal?: AbortSignal
}

const failure = (status: number, name: string, message: string) => ({
  status,
  body: { name, data: expect.objectContaining({ message: expect.stringContaining(message) }) },
})
const AUTHORIZE_FIRST = failure(
  400,
  "ProviderAuthOauthMissing",
  'No sign-in to "acme" is pending. Authorize first: POST /provider/acme/oauth/authorize',
)
const DONE = { status: 200, body: true }
const TOKENS = { type: "oauth", refresh: "the-refresh-token", access: "the-access-token", expires: 5 }

describe("the list of methods", () => {
  it("has the order by which they are numbered, also of several plugins, and no functions", async () => {
    const { app, url, authorize } = await scene((at) => [
      { provider: "acme", methods: [null as never, { type: "smoke", label: "None" } as never, methodsAt(at)[1]!] },
      { provider: "other" },
      { provider: "acme", methods: [methodsAt(at)[2]!] },
    ])

    const methods = await (await app.request("/provider/auth")).json()

    expect(methods).toEqual({
      acme: [
        {
          ...{ type: "oauth", label: "Code" },
          prompts: [
            { type: "select", key: "plan", message: "Plan?", options: [{ label: "Free", value: "free" }] },
            {
              ...{ type: "text", key: "seat", message: "Seat?", placeholder: "12" },
              when: { key: "plan", op: "neq", value: "free" },
            },
          ],
        },
        { type: "oauth", label: "Device" },
        { type: "api", label: "API key" },
      ],
      other: [{ type: "api", label: "API key" }],
    })
    expect((await authorize(1)).body).toEqual({ url: `${url}/page`, method: "auto", instructions: "Approve it there." })
    expect((await authorize(2)).body).toMatchObject({ data: { message: expect.stringContaining("PUT /auth/acme") } })
  })
})

describe("a sign-in with a code", () => {
  it("stores the credentials once the code is right, and nothing before", async () => {
    const { authorize, callback, stored, url } = await scene()

    const begun = await authorize(CODE, { plan: "paid", seat: "12" })

    expect(begun).toMatchObject(failure(400, "ProviderAuthValidationFailed", "plan: expected one of free."))
    expect(await authorize(CODE, { seat: "11" })).toMatchObject({
      status: 400,
      body: { name: "ProviderAuthValidationFailed", data: { field: "seat", message: "seat: There is seat 12." } },
    })
    expect(await callback(CODE, "the-right-code")).toEqual(AUTHORIZE_FIRST)
    expect(await authorize(CODE, { plan: "free", seat: "11", more: "x" })).toEqual({
      status: 200,
      body: { url: `${url}/authorize?plan=free&seat=none`, method: "code", instructions: "Bring the code." },
    })
    expect(await callback(CODE)).toEqual(failure(400, "ProviderAuthOauthCodeMissing", 'Send it as "code"'))
    expect(await callback(DEVICE, "the-right-code")).toEqual(failure(400, "BadRequest", "uses method 1"))
    expect(stored).toEqual([])
    expect(await callback(CODE, "the-right-code")).toEqual(DONE)
    expect(stored).toEqual([["acme", TOKENS]])
    expect(await callback(CODE, "the-right-code")).toEqual(AUTHORIZE_FIRST)
  })

  it("takes another code after a wrong one, and shows neither codes nor tokens", async () => {
    const { authorize, callback, stored, texts, serve } = await scene()
    await authorize(CODE)

    const wrong = await callback(CODE, "a-wrong-code")

    expect(wrong).toEqual(
      failure(
        400,
        "ProviderAuthOauthCallbackFailed",
        'Plugin "signer-0" could not end the sign-in to "acme". For the reason: pawl auth login acme',
      ),
    )
    expect(stored).toEqual([])
    expect(await callback(CODE, "the-right-code")).toEqual(DONE)
    const shown = JSON.stringify([texts, serve.logged, serve.said])
    expect(SECRETS.filter((secret) => shown.includes(secret))).toEqual([])
  })

  it("is stored for the provider that the plugin names", async () => {
    const { authorize, callback, stored } = await scene(() => [
      {
        provider: "acme",
        methods: [
          {
            ...{ type: "oauth", label: "Console" },
            prompts: [{ type: "text", key: "constructor", message: "Missing in the request" }],
            authorize: async (inputs) => ({
              ...{ url: `https://a.example/${Object.keys(inputs).join()}`, instructions: "", method: "code" },
              callback: async (key = "") => ({ type: "success", key, provider: "acme-console" }),
            }),
          },
        ],
      },
    ])
    expect((await authorize(0, {})).body).toMatchObject({ url: "https://a.example/" })
    await callback(0, "k")
    expect(stored).toEqual([["acme-console", { type: "api", key: "k" }]])
  })
})

describe("a sign-in that the plugin detects itself", () => {
  it("answers when the user has approved it", async () => {
    const { authorize, callback, stored, authorization } = await scene()
    expect(await authorize(DEVICE)).toMatchObject({ status: 200, body: { method: "auto" } })
    const waiting = callback(DEVICE)
    await authorization.asked

    expect(stored).toEqual([])
    expect(await callback(DEVICE)).toEqual(failure(409, "ProviderAuthOauthConflict", "another request already ends it"))
    authorization.approve()

    expect(await waiting).toEqual(DONE)
    expect(stored).toEqual([["acme", TOKENS]])
  })

  it("stores nothing once its client has left", async () => {
    const { authorize, callback, stored, authorization } = await scene()
    await authorize(DEVICE)
    const client = new AbortController()
    const waiting = callback(DEVICE, undefined, { signal: client.signal })
    await authorization.asked
    client.abort()
    await waiting
    await authorization.approveLate()

    expect(await callback(DEVICE)).toEqual(AUTHORIZE_FIRST)
    expect(stored).toEqual([])
  })

  it("is over when it was declined", async () => {
    const { authorize, callback, stored } = await scene()
    await authorize(DECLINED)

    expect(await callback(DECLINED)).toEqual(failure(400, "ProviderAuthOauthCallbackFailed", "was not accepted"))
    expect(await callback(DECLINED)).toEqual(AUTHORIZE_FIRST)
    expect(stored).toEqual([])
  })
})

describe("a pending sign-in", () => {
  it("is replaced by a newer one, which ends a request that waits for it", async () => {
    const { authorize, callback, stored, authorization } = await scene()
    await authorize(DEVICE)
    const waiting = callback(DEVICE)
    await authorization.asked
    await authorize(CODE)

    expect(await waiting).toEqual(failure(409, "ProviderAuthOauthConflict", "it was replaced by a newer one"))
    await authorization.approveLate()
    expect(await callback(DEVICE)).toEqual(failure(400, "BadRequest", "uses method 1"))
    expect(await callback(CODE, "the-right-code")).toEqual(DONE)
    expect(stored).toHaveLength(1)
  })

  it("is the newer one of two that are begun at once", async () => {
    const starts: ((url: string) => void)[] = []
    const { authorize, callback, stored } = await scene(() => [
      {
        provider: "acme",
        methods: [
          {
            ...{ type: "oauth", label: "Slow" },
            async authorize() {
              const url = await new Promise<string>((resolve) => void starts.push(resolve))
              return {
                url,
                instructions: "",
                method: "code",
                callback: async (key) => ({ type: "success", key: `${url}${key}` }),
              }
            },
          },
        ],
      },
    ])
    const older = authorize(0)
    await expect.poll(() => starts.length).toBe(1)
    const newer = authorize(0)
    await expect.poll(() => starts.length).toBe(2)
    expect(await older).toEqual(failure(409, "ProviderAuthOauthConflict", "it was replaced by a newer one"))
    expect(await callback(0, "k")).toEqual(AUTHORIZE_FIRST)
    starts[1]?.("https://b.example/")
    starts[0]?.("https://a.example/")
    expect((await newer).body).toMatchObject({ url: "https://b.example/" })
    expect(await callback(0, "k")).toEqual(DONE)
    expect(stored).toEqual([["acme", { type: "api", key: "https://b.example/k" }]])
  })

  it("stays when an invalid request follows", async () => {
    const { authorize, callback } = await scene()
    await authorize(CODE)
    expect([(await authorize(CODE, { seat: "1" })).status, (await authorize(KEY)).status]).toEqual([400, 400])
    expect(await callback(CODE, "the-right-code")).toEqual(DONE)
  })

  it("is forgotten when its time is over, and ends a request that waits for it", async () => {
    const { authorize, callback, letTimePass, authorization, timers } = await scene()
    await authorize(CODE)
    letTimePass()
    expect(await callback(CODE, "the-right-code")).toEqual(AUTHORIZE_FIRST)
    await authorize(DEVICE)
    const waiting = callback(DEVICE)
    await authorization.asked
    letTimePass()
    expect(await waiting).toEqual(failure(409, "ProviderAuthOauthConflict", "it is older than 10 minutes"))
    expect(timers.size).toBe(0)
  })

  it("ends with its directory, which takes no further one", async () => {
    const { authorize, callback, signIns, stored, authorization } = await scene()
    await authorize(DEVICE)
    const waiting = callback(DEVICE)
    await authorization.asked
    signIns.close()

    expect(await waiting).toEqual(failure(409, "ProviderAuthOauthConflict", "this server is stopping"))
    expect(await authorize(CODE)).toEqual(failure(400, "BadRequest", "This server is stopping."))
    await authorization.approveLate()
    expect(stored).toEqual([])
  })

  it("is one of each provider, and does not mix with those of others", async () => {
    const method: AuthMethod = {
      ...{ type: "oauth", label: "Code" },
      authorize: async () => ({
        ...{ url: "https://a.example/", instructions: "", method: "code" },
        callback: async (key = "") => ({ type: "success", key }),
      }),
    }
    const names = Array.from({ length: 17 }, (_, at) => `acme-${at}`)
    const { authorize, callback, stored } = await scene(() =>
      names.map((provider) => ({ provider, methods: [method] })),
    )
    const pair = ["acme-1", "acme-2"]
    await Promise.all(pair.map((provider) => authorize(0, undefined, provider)))
    await Promise.all(pair.map((provider) => callback(0, `key of ${provider}`, { provider })))
    expect(Object.fromEntries(stored)).toEqual({
      "acme-1": { type: "api", key: "key of acme-1" },
      "acme-2": { type: "api", key: "key of acme-2" },
    })

    for (const provider of names) await authorize(0, undefined, provider)

    const ended = await Promise.all(names.map((provider) => callback(0, "k", { provider })))
    expect(ended.map(({ status }) => status)).toEqual([400, ...Array.from({ length: 16 }, () => 200)])
  })
})

describe("a request that cannot be done", () => {
  it.each([
    ["https://a.example/", 200],
    ["HTTP://localhost:1455/", 200],
    ["", 200],
    ["javascript:alert(1)", 400],
    ["file:///etc/passwd", 400],
  ])("gives a client the address %j only if it may open it: %i", async (url, status) => {
    const method: AuthMethod = {
      ...{ type: "oauth", label: "Browser" },
      authorize: async () => ({ url, instructions: "", method: "auto", callback: async () => ({ type: "failed" }) }),
    }
    const { authorize } = await scene(() => [{ provider: "acme", methods: [method] }])
    expect((await authorize(0)).status).toBe(status)
  })

  it("says what to do instead", async () => {
    const { authorize, texts } = await scene()
    expect(await authorize(KEY)).toEqual(failure(400, "BadRequest", "save it with PUT /auth/acme."))
    expect(await authorize(9)).toEqual(failure(400, "BadRequest", "There are: 0 Key, 1 Code, 2 Device"))
    expect(await authorize(undefined)).toEqual(failure(400, "BadRequest", "method"))
    expect(await authorize(0, undefined, "unknown")).toEqual(failure(400, "BadRequest", "PUT /auth/unknown"))
    const broken = failure(400, "BadRequest", 'Plugin "signer-0" could not begin the sign-in to "acme".')
    expect(await authorize(BROKEN)).toEqual(broken)
    expect(await authorize(NOTHING)).toEqual(broken)
    expect(texts.join("")).not.toContain("the-access-token")
  })

  it("is refused if the host keeps no credentials", async () => {
    await using serve = await serving()
    const init = { method: "POST", body: JSON.stringify({ method: 0 }) }
    for (const step of ["authorize", "callback"]) {
      const answer = await serve.app.request(`/provider/acme/oauth/${step}`, init)
      expect(await answer.json()).toMatchObject({ data: { message: "This host keeps no credentials." } })
    }
  })
})

describe("a listening server", () => {
  const TOKEN = "t0ken_of-the-test"

  async function listening() {
    const { serve, stored, authorization } = await scene()
    const { host, directory } = serve
    const server = createPawlServer({
      directory,
      version: "9.9.9",
      open: async () => ({ host, close: async () => undefined }),
    })
    const stop = new AbortController()
    const { promise, resolve } = Promise.withResolvers<string>()
    const done = listen(server, { target: { port: 0 }, token: TOKEN, signal: stop.signal, onListening: resolve })
    onTestFinished(async () => {
      stop.abort()
      await done
    })
    const client = createOpencodeClient({ baseUrl: await promise, headers: { authorization: `Bearer ${TOKEN}` } })
    const authorize = () => client.provider.oauth.authorize({ providerID: "acme", method: DEVICE ?? 0 })
    const callback = (signal?: AbortSignal) =>
      client.provider.oauth.callback({ providerID: "acme", method: DEVICE ?? 0 }, signal ? { signal } : {})
    return { stored, authorization, client, authorize, callback }
  }

  it("forgets a sign-in that a client waited for, when the client closes the connection", async () => {
    const { stored, authorization, authorize, callback } = await listening()
    await authorize()
    const client = new AbortController()
    const waiting = Promise.resolve(callback(client.signal)).catch(() => undefined)
    await authorization.asked
    client.abort()
    await waiting

    const retried = async () => ((await callback()).error as { name?: string } | undefined)?.name
    await expect.poll(retried).toBe("ProviderAuthOauthMissing")
    await authorization.approveLate()
    expect(stored).toEqual([])
  })

  it("ends the wait for a sign-in when its directory is closed", async () => {
    const { stored, authorization, authorize, callback, client } = await listening()
    await authorize()
    const waiting = callback()
    await authorization.asked
    await client.instance.dispose()

    expect((await waiting).response?.status).toBe(409)
    await authorization.approveLate()
    expect(stored).toEqual([])
  })
})
