import { flag, milliseconds, number, object, table, text, tokens } from "./schema-values.ts"

const price = number("a price in US dollars per million tokens, 0 or more", 0)

export const model = object({
  name: text.describe("The name to show.").exactOptional(),
  limit: object({
    context: tokens.describe("Tokens of a request and its answer together."),
    output: tokens.describe("Tokens of an answer."),
    input: tokens.describe("Tokens of a request, where the model limits them apart.").exactOptional(),
  })
    .describe("How many tokens the model takes and gives.")
    .exactOptional(),
  cost: object({
    input: price,
    output: price,
    cache_read: price.exactOptional(),
    cache_write: price.exactOptional(),
  })
    .describe("US dollars per million tokens.")
    .exactOptional(),
  reasoning: flag.describe("Whether the model reasons before it answers.").exactOptional(),
  attachment: flag.describe("Whether the model reads images and other files.").exactOptional(),
  tool_call: flag.describe("Whether the model calls tools.").exactOptional(),
  temperature: flag.describe("Whether the model takes a temperature.").exactOptional(),
})

export const provider = object({
  name: text.describe("The name to show.").exactOptional(),
  npm: text.describe("The package that speaks to this provider.").exactOptional(),
  options: object({
    baseURL: text.describe("Where the provider's API begins.").exactOptional(),
    apiKey: text.describe("Better not written here: {env:NAME} and {file:path} are replaced.").exactOptional(),
    headers: table(text).describe("Sent with each request.").exactOptional(),
    timeout: milliseconds.describe("Milliseconds a request may take; 0 for no limit.").exactOptional(),
  })
    .describe("How to reach the provider.")
    .exactOptional(),
  models: table(model).describe("Models by their id at the provider.").exactOptional(),
})
