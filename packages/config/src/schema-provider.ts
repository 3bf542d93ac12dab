import { z } from "zod"
import {
  flag,
  form,
  list,
  milliseconds,
  number,
  object,
  oneOf,
  table,
  text,
  tokens,
  wholeNumber,
} from "./schema-values.ts"

const price = number("a price in US dollars per million tokens, 0 or more", 0)

const prices = { input: price, output: price, cache_read: price.exactOptional(), cache_write: price.exactOptional() }
const kinds = list(oneOf(["text", "image", "pdf", "audio", "video"]))
const json = table(z.json())
/** `false` means 0. */
const wait = z.union([milliseconds, z.literal(false)], { error: "must be a whole number of milliseconds, 0 or more" })

const variant = z
  .object(
    { disabled: flag.describe("Removes the variant, even one of the catalogue.").exactOptional() },
    { error: "must be an object" },
  )
  .catchall(z.json())

/** Names of the AI SDK's middleware, without the suffix Middleware. */
const MIDDLEWARE = ["extractReasoning", "extractJson", "simulateStreaming", "defaultSettings"] as const
const positive = number("a number, 0 or more", 0)
const penalty = number("a number from -2 to 2", -2, 2)
const mark = form(/\S/, "a text that is not blank")

const reasoningMarks = {
  tagName: z
    .union([mark, object({ opening: mark, closing: mark })], { error: "must be a text, or opening and closing" })
    .describe("Of extractReasoning: the tag without brackets, or both marks as they are written. Default: think.")
    .exactOptional(),
  separator: text.describe("Of extractReasoning: stands between two pieces. Default: a line break.").exactOptional(),
  startWithReasoning: flag
    .describe("Of extractReasoning: answers begin inside the tag, as the chat template writes the opening one.")
    .exactOptional(),
}

const defaultSettings = {
  settings: object({
    temperature: positive.exactOptional(),
    topP: positive.exactOptional(),
    topK: positive.exactOptional(),
    presencePenalty: penalty.exactOptional(),
    frequencyPenalty: penalty.exactOptional(),
    seed: wholeNumber("a whole number, 0 or more", 0).exactOptional(),
    stopSequences: list(text).exactOptional(),
  })
    .describe("Of defaultSettings: for requests that do not say otherwise.")
    .exactOptional(),
}

const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  extractReasoning: Object.keys(reasoningMarks),
  defaultSettings: Object.keys(defaultSettings),
}

const middleware = z.union(
  [
    oneOf(MIDDLEWARE),
    object({ name: oneOf(MIDDLEWARE), ...reasoningMarks, ...defaultSettings }).refine(
      ({ name, ...given }) => Object.keys(given).every((key) => OPTIONS[name]?.includes(key)),
      { error: "must have no options of another middleware" },
    ),
  ],
  { error: `must be one of ${MIDDLEWARE.join(", ")}, or an object with such a name` },
)

export const model = object({
  name: text.describe("The name to show.").exactOptional(),
  limit: object({
    context: tokens.describe("Tokens of a request and its answer together."),
    output: tokens.describe("Tokens of an answer."),
    input: tokens.describe("Tokens of a request, where the model limits them apart.").exactOptional(),
  })
    .describe("How many tokens the model takes and gives.")
    .exactOptional(),
  id: text.describe("The model's id at the provider, where it has another name here.").exactOptional(),
  cost: object({
    ...prices,
    tiers: list(object({ above: tokens.describe("For requests of more tokens than this."), ...prices }))
      .describe("Prices of long requests. The highest one that a request is above counts.")
      .exactOptional(),
    context_over_200k: object(prices).describe("Prices of requests of more than 200,000 tokens.").exactOptional(),
  })
    .describe("US dollars per million tokens.")
    .exactOptional(),
  modalities: object({
    input: kinds.describe("Of requests.").exactOptional(),
    output: kinds.describe("Of answers.").exactOptional(),
  })
    .describe("Input and output of the model.")
    .exactOptional(),
  status: oneOf(["alpha", "beta", "active", "deprecated"]).describe("Shown by `pawl models`.").exactOptional(),
  headers: table(text).describe("Sent with each request for this model.").exactOptional(),
  options: json.describe("The API's own options for each request, below those of a variant.").exactOptional(),
  variants: table(variant)
    .describe(
      "Reasoning efforts and other ways to ask the model, by name: the API's own options for each. They are added to those of the catalogue.",
    )
    .exactOptional(),
  middleware: list(middleware)
    .describe(
      "Middleware of the AI SDK around the model: a name, or an object with a name and its options. The first one is outermost.",
    )
    .exactOptional(),
  reasoning: flag.describe("The model reasons before it answers.").exactOptional(),
  attachment: flag.describe("The model reads images and other files.").exactOptional(),
  tool_call: flag.describe("The model calls tools; false offers it no tools.").exactOptional(),
  temperature: flag.describe("The model accepts a temperature; false sends none.").exactOptional(),
  structured_output: flag.describe("Answers can follow a JSON schema.").exactOptional(),
})

export const provider = object({
  name: text.describe("The name to show.").exactOptional(),
  npm: text
    .describe("The package that speaks to this provider: of the AI SDK, with a version or without, or the path of one.")
    .exactOptional(),
  api: text.describe("Base URL of the provider's API; `options.baseURL` takes precedence.").exactOptional(),
  env: list(text)
    .describe("Variables that may hold the key, in their order, instead of the usual ones.")
    .exactOptional(),
  whitelist: list(text).describe("The only models that may be used, by their ids.").exactOptional(),
  blacklist: list(text).describe("Models that may not be used, by their ids.").exactOptional(),
  options: object({
    baseURL: text.describe("Base URL of the provider's API.").exactOptional(),
    apiKey: text.describe("Better not written here: {env:NAME} and {file:path} are replaced.").exactOptional(),
    headers: table(text).describe("Sent with each request.").exactOptional(),
    query: table(text).describe("Added to the address of each request.").exactOptional(),
    proxy: text.describe("The URL of a proxy for each request, instead of those of the environment.").exactOptional(),
    ca: text
      .describe("Certificates to trust besides Node's own: the path of a PEM file, relative to this one, or its text.")
      .exactOptional(),
    promptCache: z
      .union([oneOf(["5m", "1h"]), z.literal(false)], { error: 'must be "5m", "1h" or false' })
      .describe("How long the vendor caches a prompt after its last use; false requests no cache. Default: 5m.")
      .exactOptional(),
    timeout: wait.describe("Milliseconds a request may take, its answer included; 0 for no limit.").exactOptional(),
    connectTimeout: wait
      .describe("Milliseconds for a connection to stand; 0 for no limit. Goes before `deadlines.connect_ms`.")
      .exactOptional(),
    headerTimeout: wait
      .describe("Milliseconds until the answer begins; 0 for no limit. Goes before `deadlines.first_event_ms`.")
      .exactOptional(),
    chunkTimeout: wait
      .describe("Milliseconds between two pieces of the answer; 0 for no limit. Goes before `deadlines.idle_ms`.")
      .exactOptional(),
    sdk: json.describe("Additional options of the package's create function.").exactOptional(),
  })
    .describe("How to reach the provider.")
    .exactOptional(),
  models: table(model).describe("Models by their id at the provider.").exactOptional(),
})
