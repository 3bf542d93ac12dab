import { describe, expect, it } from "vitest"
import { errorCorpus, type KnownError } from "../../test/error-corpus.ts"
import { heldOutErrors } from "../../test/held-out-errors.ts"
import { classify } from "./classify.ts"
import { classifyResponse } from "./classify-response.ts"

const corpora: [string, readonly KnownError[]][] = [
  ["known errors", errorCorpus],
  ["errors that were collected apart", heldOutErrors],
]

describe.each(corpora)("the corpus of %s", (_name, corpus) => {
  it.each(corpus)("$kind: $from ($status)", ({ status, headers, body, kind, retryAfter }) => {
    const error =
      status === undefined
        ? classify(body)
        : classifyResponse({ status, headers, body: typeof body === "string" ? body : JSON.stringify(body) })

    expect(error.kind).toBe(kind)
    expect(error.details.retryAfter).toBe(retryAfter)
  })
})

describe("classifyResponse", () => {
  const source = { providerID: "acme", server: "https://api.acme.test/v1" }

  it("keeps what the engine stores: provider, status, headers and body", () => {
    const error = classifyResponse(
      { status: 500, headers: { "x-request-id": "r1", "set-cookie": "session=1" }, body: '{"error":"boom"}' },
      source,
    )

    expect(error.details).toEqual({
      providerID: "acme",
      statusCode: 500,
      responseHeaders: { "x-request-id": "r1" },
      responseBody: '{"error":"boom"}',
      retryAfter: undefined,
    })
  })

  it("names the server, the status, the server's words and the next step", () => {
    expect(classifyResponse({ status: 401, body: '{"error":{"message":"No such key"}}' }, source).message).toBe(
      "The server at https://api.acme.test/v1 refused the key (401): No such key. Check the API key of this provider.",
    )
    expect(classifyResponse({ status: 429, headers: { "retry-after": "1.5" } }, source).message).toBe(
      "The server at https://api.acme.test/v1 limits the rate of requests (429). It asks to wait 2 s.",
    )
    expect(classifyResponse({ status: 402, body: "Insufficient balance" }, { providerID: "acme" }).message).toBe(
      'The provider "acme" has no quota left for this account (402): Insufficient balance. Add credit, or choose another model.',
    )
  })

  it("takes a proxy's refusal for none of the key", () => {
    const error = classifyResponse({ status: 407 }, { ...source, keyHint: "Set ACME_KEY." })

    expect(error).toMatchObject({ kind: "auth" })
    expect(error.message).toBe(
      "The server at https://api.acme.test/v1 is behind a proxy that wants to know who asks (407). Give the proxy's user and password in its address.",
    )
  })

  it("takes the caller's word for where a key goes", () => {
    const error = classifyResponse({ status: 401 }, { ...source, keyHint: "Set ACME_KEY." })

    expect(error.message).toBe("The server at https://api.acme.test/v1 refused the key (401). Set ACME_KEY.")
  })

  it("names the URL of the request when the server is not known, without its query", () => {
    const error = classifyResponse({ url: "https://user:pw@host.test/v1/chat?key=secret", status: 500 })

    expect(error.message).toBe("The server at https://host.test/v1/chat failed (500).")
  })

  it("hides keys that the server quotes", () => {
    const error = classifyResponse(
      {
        status: 401,
        headers: { "www-authenticate": "Bearer hunter2-hunter2" },
        body: '{"error":"Wrong key hunter2-hunter2, not sk-abcdefghijkl, not Bearer 0123456789abcdef"}',
      },
      { secrets: ["hunter2-hunter2"] },
    )

    expect(error.message).toContain("Wrong key ***, not ***, not Bearer ***.")
    expect(JSON.stringify(error.details)).not.toContain("hunter2")
    expect(JSON.stringify(error.details)).not.toContain("sk-abc")
  })

  it("shortens a long text and leaves out a web page", () => {
    const long = classifyResponse({ status: 400, body: "x".repeat(10_000) })
    const page = classifyResponse({ status: 502, body: "<html>Bad Gateway</html>" })

    expect(long.message.length).toBeLessThan(600)
    expect(page.message).toBe("The provider failed (502).")
  })
})
