import {
  APICallError,
  EmptyResponseBodyError,
  InvalidResponseDataError,
  JSONParseError,
  LoadAPIKeyError,
  TypeValidationError,
  UnsupportedFunctionalityError,
} from "@ai-sdk/provider"
import { ProviderError, type ProviderErrorKind } from "@pawl/core/provider"
import { describe, expect, it } from "vitest"
import { classify } from "./classify.ts"
import type { ErrorSource } from "./source.ts"

const url = "http://127.0.0.1:11434/v1/chat/completions"
const source: ErrorSource = { providerID: "local", server: "http://127.0.0.1:11434/v1" }

function withCode(code: string, message = code): Error {
  return Object.assign(new Error(message), { code })
}

/** What the SDK throws when fetch() rejects. */
function notConnected(cause: Error): APICallError {
  return new APICallError({ message: `Cannot connect to API: ${cause.message}`, url, requestBodyValues: {}, cause })
}

/** What the SDK throws when a body breaks off. */
function brokenBody(cause: Error): APICallError {
  const message = "Failed to process successful response"
  return new APICallError({ message, url, requestBodyValues: {}, statusCode: 200, responseHeaders: {}, cause })
}

it("knows what Anthropic's SDK says of a first event that it cannot read", () => {
  const error = classify(new Error("Expected a normalized Anthropic stream error"), source)
  expect(error).toMatchObject({ kind: "incomplete-stream" })
  expect(error.message).toBe("The server at http://127.0.0.1:11434/v1 broke off: its first event cannot be read.")
})

describe("what is thrown on the way to a server", () => {
  it.each<[string, Error, ProviderErrorKind, string]>([
    [
      "a closed port",
      notConnected(withCode("ECONNREFUSED")),
      "transport",
      "Cannot reach http://127.0.0.1:11434/v1: connection refused. Is the server running?",
    ],
    [
      "a closed port on every address of a name",
      notConnected(new AggregateError([withCode("ECONNREFUSED"), withCode("ECONNREFUSED")])),
      "transport",
      "Cannot reach http://127.0.0.1:11434/v1: connection refused. Is the server running?",
    ],
    [
      "a proxy that opens no way",
      notConnected(
        withCode("ERR_PROXY_TUNNEL", "Failed to establish tunnel to a:443 via http://u:p@b/: HTTP/1.1 502 Bad"),
      ),
      "transport",
      "Cannot reach http://127.0.0.1:11434/v1: the proxy opens no way to it. Check the proxy: its address, and its user and password.",
    ],
    [
      "the address of a proxy, which may hold a password, that is none",
      withCode("ERR_PROXY_INVALID_CONFIG", "Invalid proxy URL: http://u:p@:x"),
      "transport",
      "Cannot reach http://127.0.0.1:11434/v1: the proxy of the environment has no address that can be read. Check HTTP_PROXY and HTTPS_PROXY.",
    ],
    [
      "an answer that pawl's own fetch has broken off",
      brokenBody(new ProviderError("incomplete-stream", "It holds bytes that are not UTF-8.", { providerID: "local" })),
      "incomplete-stream",
      "It holds bytes that are not UTF-8.",
    ],
    [
      "an unknown name",
      notConnected(withCode("ENOTFOUND")),
      "transport",
      "Cannot reach http://127.0.0.1:11434/v1: the host name is not known. Check the URL and the network.",
    ],
    [
      "no route",
      notConnected(withCode("ENETUNREACH")),
      "transport",
      "Cannot reach http://127.0.0.1:11434/v1: there is no way to its network. Check the network.",
    ],
    [
      "a firewall",
      notConnected(withCode("UND_ERR_CONNECT_TIMEOUT")),
      "transport",
      "Cannot reach http://127.0.0.1:11434/v1: no connection within the time limit. Check the network, a proxy, a firewall.",
    ],
    [
      "a certificate of its own",
      notConnected(withCode("DEPTH_ZERO_SELF_SIGNED_CERT")),
      "transport",
      "Cannot reach http://127.0.0.1:11434/v1: no secure connection (DEPTH_ZERO_SELF_SIGNED_CERT). " +
        "Check the server's certificate, and whether its URL should begin with http:// instead.",
    ],
    [
      "a reset before the answer",
      notConnected(withCode("UND_ERR_SOCKET", "other side closed")),
      "transient",
      "The server at http://127.0.0.1:11434/v1 gave no answer: the connection was reset. Is the server running?",
    ],
    [
      "no headers in time",
      notConnected(withCode("UND_ERR_HEADERS_TIMEOUT")),
      "transient",
      "The server at http://127.0.0.1:11434/v1 gave no answer: no answer within the time limit. Is the server overloaded?",
    ],
    [
      "something undici does not tell",
      notConnected(new Error("bad port")),
      "transient",
      "The server at http://127.0.0.1:11434/v1 gave no answer: Cannot connect to API: bad port.",
    ],
    [
      "a reset inside the answer",
      brokenBody(new TypeError("terminated", { cause: withCode("UND_ERR_SOCKET") })),
      "incomplete-stream",
      "The server at http://127.0.0.1:11434/v1 broke off: the connection was reset.",
    ],
    [
      "silence inside the answer",
      brokenBody(new TypeError("terminated", { cause: withCode("UND_ERR_BODY_TIMEOUT") })),
      "incomplete-stream",
      "The server at http://127.0.0.1:11434/v1 broke off: silence in the middle of the answer.",
    ],
    [
      "a body that is nothing the SDK can read",
      brokenBody(new Error("unknown encoding")),
      "incomplete-stream",
      "The server at http://127.0.0.1:11434/v1 broke off: its body cannot be read.",
    ],
    [
      "an event that is not JSON",
      new JSONParseError({ text: "{oops", cause: new SyntaxError("bad") }),
      "incomplete-stream",
      "The server at http://127.0.0.1:11434/v1 broke off: it holds an event that is not JSON.",
    ],
    [
      "an event of an unknown form",
      new TypeValidationError({ value: { hello: 1 }, cause: new Error("bad") }),
      "incomplete-stream",
      "The server at http://127.0.0.1:11434/v1 broke off: it holds an event of an unknown form.",
    ],
    [
      "an error in a form the SDK does not know",
      new TypeValidationError({ value: { error: "Rate limit exceeded" }, cause: new Error("bad") }),
      "rate-limited",
      "The server at http://127.0.0.1:11434/v1 limits the rate of requests: Rate limit exceeded.",
    ],
    [
      "an error without the key for it",
      new TypeValidationError({
        value: { object: "error", message: "This model's maximum context length is 8192 tokens.", code: 400 },
        cause: new Error("bad"),
      }),
      "overflow",
      "The server at http://127.0.0.1:11434/v1 finds the request too long for the model (400): " +
        "This model's maximum context length is 8192 tokens.",
    ],
    [
      "an error with a type and nothing around it",
      new TypeValidationError({
        value: { message: "Too busy.", type: "overloaded_error" },
        cause: new Error("bad"),
      }),
      "transient",
      "The server at http://127.0.0.1:11434/v1 failed: Too busy.",
    ],
    [
      "an error beside what is left of the answer",
      new TypeValidationError({
        value: { choices: [], error: "Rate limit exceeded" },
        cause: new Error("bad"),
      }),
      "rate-limited",
      "The server at http://127.0.0.1:11434/v1 limits the rate of requests: Rate limit exceeded.",
    ],
    [
      "an answer in an unknown form that holds a message",
      new TypeValidationError({ value: { choices: 1, message: "Hi" }, cause: new Error("bad") }),
      "incomplete-stream",
      "The server at http://127.0.0.1:11434/v1 broke off: it holds an event of an unknown form.",
    ],
    [
      "an end without finish",
      new InvalidResponseDataError({ data: undefined, message: "Response stream ended without a finish reason." }),
      "incomplete-stream",
      "The server at http://127.0.0.1:11434/v1 broke off: Response stream ended without a finish reason.",
    ],
    [
      "no body",
      new EmptyResponseBodyError(),
      "incomplete-stream",
      "The server at http://127.0.0.1:11434/v1 broke off: Empty response body.",
    ],
    [
      "a missing key",
      new LoadAPIKeyError({ message: "Set ACME_API_KEY." }),
      "auth",
      "The server at http://127.0.0.1:11434/v1 has no API key: Set ACME_API_KEY.",
    ],
    [
      "a file the wire format has no place for",
      new UnsupportedFunctionalityError({ functionality: "file part media type application/zip" }),
      "invalid-request",
      "The request cannot be sent: 'file part media type application/zip' functionality not supported.",
    ],
    [
      "a time limit of someone else's",
      new DOMException("The operation timed out.", "TimeoutError"),
      "transient",
      "The server at http://127.0.0.1:11434/v1 did not answer in time.",
    ],
    [
      "a mistake in a language model",
      new TypeError("x is not a function"),
      "unknown",
      "The server at http://127.0.0.1:11434/v1 failed: x is not a function.",
    ],
  ])("%s", (_name, thrown, kind, message) => {
    const error = classify(thrown, source)

    expect({ kind: error.kind, message: error.message }).toEqual({ kind, message })
    expect(error.details.providerID).toBe("local")
  })
})

describe("classify", () => {
  it("reads status, headers and body of an error answer", () => {
    const error = classify(
      new APICallError({
        message: "Too Many Requests",
        url,
        requestBodyValues: { messages: ["secret plans"] },
        statusCode: 429,
        responseHeaders: { "retry-after": "7" },
        responseBody: '{"error":{"message":"Slow down"}}',
      }),
    )

    expect(error).toMatchObject({
      kind: "rate-limited",
      message: `The server at ${url} limits the rate of requests (429): Slow down. It asks to wait 7 s.`,
      details: { statusCode: 429, retryAfter: 7000, responseBody: '{"error":{"message":"Slow down"}}' },
    })
  })

  it("returns a ProviderError as it is", () => {
    const error = new ProviderError("overflow", "Too long.")

    expect(classify(error)).toBe(error)
  })

  it.each<[string, unknown]>([
    ["undefined", undefined],
    ["null", null],
    ["a number", 7],
    ["an empty object", {}],
  ])("makes something of %s", (_name, thrown) => {
    expect(classify(thrown, { providerID: "local" })).toMatchObject({
      kind: "unknown",
      message: 'The provider "local" failed.',
    })
  })

  it("keeps the cause, but not the request that the SDK's error carries", () => {
    const cause = withCode("ECONNREFUSED")

    expect(classify(notConnected(cause)).cause).toBe(cause)
  })

  it("hides a key that an error quotes", () => {
    const error = classify(new TypeError('Headers.append: "Bearer top-secret-key\n" is an invalid header value.'), {
      secrets: ["top-secret-key"],
    })

    expect(error.message).not.toContain("top-secret")
  })

  it("survives causes that go in a circle", () => {
    const error: Error & { cause?: unknown } = new Error("a")
    error.cause = new Error("b", { cause: error })

    expect(classify(error).kind).toBe("unknown")
  })
})
