import { describe, expect, it } from "vitest"
import { geminiBody, postGemini } from "../../../test/google-client.ts"
import { modelServer } from "../../index.ts"
import { toCallSignature } from "./call-signature.ts"
import { validateGeminiRequest } from "./validate-gemini-request.ts"

const user = (...parts: unknown[]) => ({ role: "user", parts: parts.length === 0 ? [{ text: "Hello" }] : parts })
const model = (...parts: unknown[]) => ({ role: "model", parts })
const signed = toCallSignature("read", {})
const call = (name = "read", more: object = { thoughtSignature: signed }) => ({
  functionCall: { name, args: {} },
  ...more,
})
const response = (name = "read", more: object = {}) => ({
  functionResponse: { name, response: { output: "ok" }, ...more },
})
const contents = (...list: unknown[]) => geminiBody({ contents: list })
const parts = (...list: unknown[]) => contents(user(...list))
const set = (changes: object) => geminiBody(changes)
const configured = (generationConfig: object) => set({ generationConfig })
const declared = (...functionDeclarations: unknown[]) => set({ tools: [{ functionDeclarations }] })
const schema = (parameters: unknown) => declared({ name: "read", parameters })
const object = (properties: object, more: object = {}) => schema({ type: "object", properties, ...more })
const calling = (functionCallingConfig: object) => ({
  ...declared({ name: "read" }),
  toolConfig: { functionCallingConfig },
})

describe("validateGeminiRequest", () => {
  it.each<[string, unknown]>([
    ["one content", geminiBody()],
    ["a conversation", contents(user(), model({ text: "Hi" }), user())],
    ["a system instruction", set({ systemInstruction: { parts: [{ text: "Be brief" }] } })],
    [
      "media",
      parts({ inlineData: { mimeType: "image/png", data: "AAAA" } }, { fileData: { fileUri: "https://127.0.0.1/a" } }),
    ],
    [
      "parallel calls, the first one signed",
      contents(user(), model(call(), call("ls", {})), user(response("ls"), response())),
    ],
    ["two steps", contents(user(), model(call()), user(response()), model(call()), user(response()))],
    [
      "unsigned calls of an earlier turn",
      contents(user(), model(call("read", {})), user(response()), model({ text: "a" }), user()),
    ],
    [
      "calls of another model",
      contents(user(), model(call("read", { thoughtSignature: "skip_thought_signature_validator" })), user(response())),
    ],
    [
      "a signature of the script",
      contents(user(), model(call("read", { thoughtSignature: "mine" })), user(response())),
    ],
    [
      "responses with ids",
      contents(
        user(),
        model({ functionCall: { id: "1", name: "read" }, thoughtSignature: "s" }),
        user(response("read", { id: "1" })),
      ),
    ],
    ["thoughts", contents(user(), model({ text: "Hm", thought: true }, { text: "", thoughtSignature: "s" }), user())],
    [
      "JSON Schema in its own key",
      declared({ name: "read", parametersJsonSchema: { type: "object", additionalProperties: false } }),
    ],
    [
      "a schema",
      object(
        { a: { type: "STRING", enum: ["x"] }, b: { type: "array", items: { type: "integer" } } },
        { required: ["a"] },
      ),
    ],
    ["tools of the API's own", set({ tools: [{ googleSearch: {} }] })],
    ["allowed functions", calling({ mode: "ANY", allowedFunctionNames: ["read"] })],
    [
      "settings",
      configured({
        temperature: 2,
        stopSequences: ["END"],
        thinkingConfig: { includeThoughts: true, thinkingBudget: -1 },
      }),
    ],
    ["structured output", configured({ responseMimeType: "application/json", responseJsonSchema: {} })],
  ])("accepts %s", (_name, body) => {
    expect(validateGeminiRequest(body, "gemini-3-pro")).toBeUndefined()
  })

  it.each<[string, unknown, RegExp]>([
    ["a body that is no object", "x", /JSON object/],
    ["missing contents", set({ contents: undefined }), /^contents: is not specified/],
    ["a key of another API", set({ messages: [] }), /^messages: this key is not known/],
    ["an unknown role", contents({ role: "assistant", parts: [{ text: "x" }] }), /^contents\[0\]\.role: "assistant"/],
    ["no parts", contents({ role: "user", parts: [] }), /^contents\[0\]\.parts: must not be empty/],
    ["a part with nothing", parts({}), /exactly one of/],
    ["a part with two things", parts({ text: "a", inlineData: {} }), /exactly one of/],
    ["an unknown part", parts({ type: "text", text: "a" }), /^contents\[0\]\.parts\[0\]\.type: this key/],
    ["media without a type", parts({ inlineData: { data: "AAAA" } }), /\.inlineData: must be/],
    ["a call of the user", parts(call()), /"functionCall" is not one of/],
    [
      "a call with text as arguments",
      contents(user(), model({ functionCall: { name: "a", args: "{}" } })),
      /\.functionCall\.args/,
    ],
    [
      "a response that is text",
      contents(user(), model(call()), user({ functionResponse: { name: "read", response: "ok" } })),
      /\.response: must be an object/,
    ],
    ["a call without response", contents(user(), model(call())), /^contents\[1\]: .*1 calls, 0 responses/],
    ["one response of two", contents(user(), model(call(), call("ls")), user(response())), /2 calls, 1 responses/],
    ["a response without call", contents(user(), user(response())), /function response turn comes immediately after/],
    ["a response of another function", contents(user(), model(call()), user(response("ls"))), /name "ls"/],
    [
      "a response with another id",
      contents(user(), model(call()), user(response("read", { id: "9" }))),
      /no call with the id "9"/,
    ],
    ["a call at the beginning", contents(model(call()), user(response())), /immediately after a user turn/],
    [
      "a call behind an answer",
      contents(user(), model({ text: "a" }), model(call()), user(response())),
      /^contents\[2\]: .*after a user turn/,
    ],
    [
      "a call that lost its signature",
      contents(user(), model(call("read", {})), user(response())),
      /^contents\[1\]: .*missing a thought_signature.*"read"/,
    ],
    [
      "a second step that lost its signature",
      contents(user(), model(call()), user(response()), model(call("read", {})), user(response())),
      /^contents\[3\]: .*missing/,
    ],
    [
      "a signature of another call",
      contents(user(), model(call("ls")), user(response("ls"))),
      /Corrupted thought signature/,
    ],
    ["an empty signature", parts({ text: "a", thoughtSignature: "" }), /thoughtSignature: must be a string/],
    ["a system instruction as text", set({ systemInstruction: "Be brief" }), /^systemInstruction: must be/],
    [
      "a function of Chat Completions",
      set({ tools: [{ type: "function", function: {} }] }),
      /^tools\[0\]: must be \{functionDeclarations\}/,
    ],
    ["a name that begins with a digit", declared({ name: "1a" }), /functionDeclarations\[0\]\.name/],
    ["a name given twice", declared({ name: "a" }, { name: "a" }), /Duplicate function declaration found: a/],
    ["two schemas", declared({ name: "a", parameters: {}, parametersJsonSchema: {} }), /give one of them/],
    [
      "additionalProperties",
      object({ a: { type: "string" } }, { additionalProperties: false }),
      /parameters\.additionalProperties: this key/,
    ],
    ["$schema", schema({ $schema: "x", type: "object" }), /parameters\.\$schema/],
    ["a list of types", object({ a: { type: ["string", "null"] } }), /parameters\.properties\.a\.type/],
    ["an enum of numbers", object({ a: { type: "integer", enum: [1] } }), /only allowed for STRING/],
    ["an enum with an empty word", object({ a: { type: "string", enum: [""] } }), /not empty/],
    ["an array without items", object({ a: { type: "array" } }), /\.items: missing field/],
    ["an object without properties", schema({ type: "object" }), /should be non-empty for OBJECT/],
    [
      "a required property that is none",
      object({ a: { type: "string" } }, { required: ["b"] }),
      /required\[0\]: property is not defined/,
    ],
    ["an unknown mode", calling({ mode: "REQUIRED" }), /mode: "REQUIRED"/],
    ["allowed functions in mode AUTO", calling({ allowedFunctionNames: ["read"] }), /only allowed with mode ANY/],
    [
      "an allowed function that is none",
      calling({ mode: "ANY", allowedFunctionNames: ["ls"] }),
      /there is no function "ls"/,
    ],
    ["ANY without functions", set({ toolConfig: { functionCallingConfig: { mode: "ANY" } } }), /needs functions/],
    ["a setting of another API", configured({ max_tokens: 5 }), /^generationConfig\.max_tokens: this key/],
    ["six stop sequences", configured({ stopSequences: ["a", "b", "c", "d", "e", "f"] }), /stopSequences/],
    ["a schema without JSON", configured({ responseSchema: {} }), /responseMimeType/],
    [
      "budget and level of thinking",
      configured({ thinkingConfig: { thinkingBudget: 1, thinkingLevel: "low" } }),
      /give one of them/,
    ],
    ["half a surrogate pair", parts({ text: "\ud83d" }), /half of a surrogate pair/],
  ])("refuses %s", (_name, body, problem) => {
    expect(validateGeminiRequest(body, "gemini-3-pro")).toMatch(problem)
  })

  it("does not insist on signatures of earlier models", () => {
    const unsigned = contents(user(), model(call("read", {})), user(response()))

    expect(validateGeminiRequest(unsigned, "gemini-2.5-pro")).toBeUndefined()
    expect(validateGeminiRequest(unsigned, "gemini-3-pro")).toBeDefined()
  })

  it("streams server-sent events only", async () => {
    await using server = await modelServer({ replies: [] })

    const response = await postGemini(server, geminiBody(), "streamGenerateContent")

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: { status: "INVALID_ARGUMENT", message: expect.stringContaining("alt=sse") },
    })
  })
})
