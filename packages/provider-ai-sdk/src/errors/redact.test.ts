import { describe, expect, it } from "vitest"
import { classify } from "./classify.ts"
import { classifyResponse } from "./classify-response.ts"
import { redact } from "./redact.ts"

/** Of 4 to 7 characters: pawl masks such values nowhere else. */
const KEYS = ["q7#z", 'a"b c', "h\u00fcgel", "x/y+z=1"]

describe.each(KEYS)("the key %s", (key) => {
  const base64 = Buffer.from(key).toString("base64")
  const forms = [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key), base64, base64.replaceAll("=", "")]

  it.each(forms)("is masked as %s", (form) => {
    expect(redact(`Incorrect key ${form} provided`, [key])).not.toContain(form)
  })

  it("is in no part of an error of a server that quotes it", () => {
    const body = JSON.stringify({ error: { message: `Incorrect API key: ${key}.` }, key })
    const response = { url: "http://localhost/v1", status: 401, headers: { "x-key": key }, body }
    const { message, details } = classifyResponse(response, { secrets: [key] })

    const told = [message, details.responseBody, JSON.stringify(details.responseHeaders)].join("\n")
    expect(message).toContain("Incorrect API key: ***")
    for (const form of forms) expect(told).not.toContain(form)
  })

  it("is not in the message of an error of another kind", () => {
    expect(classify(new Error(`The key ${key} is refused`), { secrets: [key] }).message).not.toContain(key)
  })
})

it("masks the longer of two keys as a whole", () => {
  expect(redact("abcd abcdefgh", ["abcd", "abcdefgh"])).toBe("*** ***")
})

it("masks no parts of words for the placeholder of a local server", () => {
  expect(redact("The next key is no key", ["no", "x"])).toBe("The next key is no key")
})
