import type { ProviderErrorKind } from "@pawl/core/provider"
import { encoded } from "./encoded.ts"
import { type FileName, files } from "./talk.ts"

export interface RejectionCase {
  /** Who says so, and of what. */
  readonly from: string
  readonly status: number
  readonly kind: ProviderErrorKind
  readonly body: string
  /** What has to go of the conversation; empty where the error is not about files. */
  readonly rejected: readonly FileName[]
  /** Files that the conversation does not have. */
  readonly without?: readonly FileName[]
}

const anthropic = (message: string, type = "invalid_request_error") => {
  return JSON.stringify({ type: "error", error: { type, message }, request_id: "req_1" })
}
const openai = (message: string, code: string | null, param: string | null = null) => {
  return JSON.stringify({ error: { message, type: "invalid_request_error", param, code } })
}
const google = (message: string, details: readonly object[] = []) => {
  return JSON.stringify({ error: { code: 400, message, status: "INVALID_ARGUMENT", details } })
}
const invalid = { status: 400, kind: "invalid-request" } as const

/** Refusals in the vendors' formats, for the conversation of `talk.ts`. */
export const rejections: readonly RejectionCase[] = [
  // By place.
  {
    from: "anthropic: bytes, at a place",
    ...invalid,
    body: anthropic(
      "messages.4.content.1.image.source.base64: image exceeds 5 MB maximum: 5333336 bytes > 5242880 bytes",
    ),
    rejected: ["photo"],
  },
  {
    from: "anthropic: pixels, in the second of two messages that are sent as one",
    ...invalid,
    body: anthropic(
      "messages.4.content.4.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels",
    ),
    rejected: ["diagram"],
  },
  {
    from: "anthropic: pixels of an old image, now that there are many",
    ...invalid,
    body: anthropic(
      "messages.0.content.1.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels",
    ),
    rejected: ["old"],
  },
  {
    from: "anthropic: another type than was said, behind two results",
    ...invalid,
    body: anthropic(
      "messages.2.content.3.image.source.base64.data: Image does not match the provided media type image/png",
    ),
    rejected: ["shot"],
  },
  {
    from: "anthropic: a type that it does not take, inside a result",
    ...invalid,
    body: anthropic(
      "messages.2.content.1.tool_result.content.1.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
    ),
    rejected: ["shot"],
  },
  {
    from: "anthropic: a broken document",
    ...invalid,
    body: anthropic("messages.4.content.2.pdf.source.base64.data: The PDF specified was not valid."),
    rejected: ["report"],
  },
  {
    from: "a gateway to anthropic: bytes, at a place",
    ...invalid,
    body: JSON.stringify({
      error: {
        code: "400",
        type: "invalid_params",
        message: "messages.4.content.1.image.source.base64: image exceeds 5 MB maximum: 5272940 bytes > 5242880 bytes",
      },
    }),
    rejected: ["photo"],
  },
  {
    from: "openai chat: a URL without its prefix, one system message",
    ...invalid,
    body: openai(
      "Invalid image URL: 'messages[8].content[1].image_url.url'. Expected a base64-encoded data URL with an image MIME type (e.g. 'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU='), but got a value without the 'data:' prefix.",
      "invalid_value",
      "messages[8].content[1].image_url.url",
    ),
    rejected: ["diagram"],
  },
  {
    from: "openai chat: a broken image of a tool's, a system message for each block",
    ...invalid,
    body: openai("Invalid base64 image_url.", "invalid_value", "messages.[6].content.[1].image_url"),
    rejected: ["shot"],
  },
  {
    from: "openai responses: an empty image",
    ...invalid,
    body: openai(
      "Invalid 'input[9].content[1].image_url'. Expected a base64-encoded data URL with an image MIME type (e.g. 'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU='), but got empty base64-encoded bytes.",
      "invalid_value",
      "input[9].content[1].image_url",
    ),
    rejected: ["photo"],
  },
  {
    from: "google: a type that it does not take, at a place",
    ...invalid,
    body: google(
      "* GenerateContentRequest.contents[6].parts[1].inline_data.mime_type: MIME type must be image/png, image/jpeg, image/webp, image/heic, or image/heif.",
    ),
    rejected: ["diagram"],
  },
  {
    from: "google: two files that it cannot decode",
    ...invalid,
    body: google(
      "Invalid value at 'contents[5].parts[1].inline_data.data' (TYPE_BYTES), Base64 decoding failed for \"/files/1\"\nInvalid value at 'contents[5].parts[2].inline_data.data' (TYPE_BYTES), Base64 decoding failed for \"/files/2\"",
      [{ fieldViolations: [{ field: "contents[5].parts[1].inline_data.data" }] }],
    ),
    rejected: ["photo", "report"],
  },

  // By words.
  {
    from: "anthropic: an image that it cannot read",
    ...invalid,
    body: anthropic("Could not process image"),
    rejected: ["diagram"],
  },
  {
    from: "anthropic: a document that it cannot read",
    ...invalid,
    body: anthropic("Could not process PDF"),
    rejected: ["report"],
  },
  {
    from: "anthropic: pages",
    ...invalid,
    body: anthropic("A maximum of 100 PDF pages may be provided."),
    rejected: ["report"],
  },
  {
    from: "bedrock: bytes, without a place",
    ...invalid,
    body: JSON.stringify({ message: `image exceeds 5 MB maximum: ${encoded(files.photo)} bytes > 5242880 bytes` }),
    rejected: ["photo"],
  },
  {
    from: "bedrock: pixels of an old image, without a place",
    ...invalid,
    body: JSON.stringify({
      message: "At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels",
    }),
    without: ["photo"],
    rejected: ["old"],
  },
  {
    from: "anthropic: one image of another type than was said",
    ...invalid,
    body: anthropic(
      "The image was specified using the image/jpeg media type, but the image appears to be a image/webp image",
    ),
    rejected: ["photo"],
  },
  {
    from: "anthropic: too many",
    ...invalid,
    body: anthropic("too many images and documents: 4 + 1 > 3"),
    rejected: ["old", "shot"],
  },
  {
    from: "anthropic: too much",
    ...invalid,
    body: anthropic("Too much media: 0 document pages + 5 images > 4"),
    rejected: ["old"],
  },
  {
    from: "a gateway: too many",
    ...invalid,
    body: JSON.stringify({
      error: "[invalid_request_error] request contains 4 images, exceeding the maximum of 3 allowed per request",
    }),
    rejected: ["old"],
  },
  {
    from: "a local server: one image at most",
    ...invalid,
    body: JSON.stringify({
      object: "error",
      message: "At most 1 image(s) may be provided in one request.",
      type: "BadRequestError",
      param: null,
      code: 400,
    }),
    rejected: ["old", "shot", "photo"],
  },
  {
    from: "a gateway: a model that sees nothing",
    status: 404,
    kind: "invalid-request",
    body: JSON.stringify({ error: { message: "No endpoints found that support image input", code: 404 } }),
    rejected: ["old", "shot", "photo", "diagram"],
  },
  {
    from: "openai: a model that sees nothing",
    ...invalid,
    body: openai(
      "Invalid content type. image_url is only supported by certain models.",
      null,
      "messages.[2].content.[0].type",
    ),
    rejected: ["old", "shot", "photo", "diagram"],
  },
  {
    from: "openai: a type that is not on its list",
    ...invalid,
    body: openai(
      "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'webp'].",
      "invalid_image_format",
    ),
    rejected: ["diagram"],
  },
  {
    from: "openai: an image that it cannot read",
    ...invalid,
    body: openai("You uploaded an unsupported image. Please make sure your image is valid.", "image_parse_error"),
    without: ["diagram"],
    rejected: ["photo"],
  },
  {
    from: "anthropic: a type that is not on its list, without a place",
    ...invalid,
    body: anthropic("media_type: Input should be 'image/png', 'image/gif' or 'image/webp'"),
    rejected: ["photo"],
  },
  {
    from: "openai: a type, with an example of another",
    ...invalid,
    body: openai(
      "Expected a base64-encoded data URL with an image MIME type (e.g. 'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU='), but got unsupported MIME type 'image/gif'.",
      "invalid_value",
    ),
    rejected: ["diagram"],
  },
  {
    from: "openai: a file by its name",
    ...invalid,
    body: openai("Failed to download image from photo.jpg. Image size exceeds the limit.", "invalid_image"),
    rejected: ["photo"],
  },
  {
    from: "openai: an image against its policy",
    status: 400,
    kind: "content-policy",
    body: openai(
      "Your input image may contain content that is not allowed by our safety system.",
      "moderation_blocked",
    ),
    rejected: ["diagram"],
  },
  {
    from: "google: a type that it does not take",
    ...invalid,
    body: google("Unsupported MIME type: image/gif"),
    rejected: ["diagram"],
  },
  {
    from: "google, as a gateway passes it on: an image that it cannot read",
    ...invalid,
    body: JSON.stringify({
      error: {
        message: google("Unable to process input image. Please retry or report."),
        code: 400,
        status: "Bad Request",
      },
    }),
    rejected: ["diagram"],
  },
  {
    from: "google: bytes of all files",
    ...invalid,
    body: google("The request's total referenced files bytes are too large to be read"),
    without: ["report", "diagram"],
    rejected: ["photo"],
  },

  // Of gateways and servers that speak the formats of others.
  {
    from: "mistral: a model that sees nothing",
    ...invalid,
    body: JSON.stringify({
      object: "error",
      message: "Image content is not supported by this model",
      type: "invalid_request",
    }),
    rejected: ["old", "shot", "photo", "diagram"],
  },
  {
    from: "deepseek: a model that sees nothing",
    status: 422,
    kind: "invalid-request",
    body: "Failed to deserialize the JSON body into the target type: messages[2]: unknown variant `image_url`, expected `text` at line 1 column 500",
    rejected: ["old", "shot", "photo", "diagram"],
  },
  {
    from: "llama.cpp: a model that sees nothing",
    ...invalid,
    body: JSON.stringify({
      error: { code: 400, message: "image input is not supported - hint: you may need to provide the mmproj" },
    }),
    rejected: ["old", "shot", "photo", "diagram"],
  },
  {
    from: "ollama: a model that sees nothing",
    ...invalid,
    body: JSON.stringify({ error: "this model is missing data required for image input" }),
    rejected: ["old", "shot", "photo", "diagram"],
  },
  {
    from: "qwen: an image that is too narrow",
    ...invalid,
    body: openai(
      "The image length and width do not meet the model restrictions. [height:4 or width:4 must be larger than 10]",
      null,
    ),
    rejected: ["diagram"],
  },
  {
    from: "vertex: a type that it does not take",
    ...invalid,
    body: google(
      "Unable to submit request because it has a mimeType parameter with value application/pdf, which is not supported.",
    ),
    rejected: ["report"],
  },
  {
    from: "vertex: an empty document",
    ...invalid,
    body: google("The document has no pages."),
    rejected: ["report"],
  },
  {
    from: "bedrock: a document, at a place",
    ...invalid,
    body: JSON.stringify({
      message:
        "The model returned the following errors: messages.4.content.2.document.source.base64.data: Field required",
    }),
    rejected: ["report"],
  },

  // By suspicion.
  {
    from: "google: no reason at all",
    ...invalid,
    body: google("Request contains an invalid argument."),
    rejected: ["diagram"],
  },
  {
    from: "google: no reason at all, and no new file",
    ...invalid,
    body: google("Request contains an invalid argument."),
    without: ["photo", "report", "diagram"],
    rejected: [],
  },
  {
    from: "anthropic: bytes of the request",
    status: 413,
    kind: "overflow",
    body: anthropic("Request exceeds the maximum size", "request_too_large"),
    rejected: ["photo"],
  },
  {
    from: "a proxy: bytes of the request",
    status: 413,
    kind: "overflow",
    body: "<html><head><title>413 Request Entity Too Large</title></head></html>",
    rejected: ["photo"],
  },
  {
    from: "anthropic: bytes of the request, and no large file",
    status: 413,
    kind: "overflow",
    body: anthropic("Request exceeds the maximum size", "request_too_large"),
    without: ["photo", "report"],
    rejected: [],
  },

  // Not about files.
  {
    from: "anthropic: tokens",
    status: 400,
    kind: "overflow",
    body: anthropic("prompt is too long: 209316 tokens > 200000 maximum"),
    rejected: [],
  },
  {
    from: "a server with limits on tokens",
    status: 413,
    kind: "overflow",
    body: openai("Request too large for model: Limit 6000 tokens per minute, Requested 9000", null),
    rejected: [],
  },
  {
    from: "openai: a model whose name speaks of images",
    status: 404,
    kind: "invalid-request",
    body: openai("The model 'gpt-image-1' does not exist or you do not have access to it.", "model_not_found"),
    rejected: [],
  },
  {
    from: "a server of vision models: tokens",
    status: 400,
    kind: "overflow",
    body: openai(
      "The maximum context length of the vision model is 8192 tokens, requested 9000",
      "context_length_exceeded",
    ),
    rejected: [],
  },
  {
    from: "anthropic: a signature",
    ...invalid,
    body: anthropic("messages.3.content.0: Invalid `signature` in `thinking` block"),
    rejected: [],
  },
  {
    from: "google: a signature",
    ...invalid,
    body: google(
      "Invalid value at 'contents[1].parts[0].thought_signature' (TYPE_BYTES), Base64 decoding failed for \"CiQB0e2Kb\"",
    ),
    rejected: [],
  },
  {
    from: "anthropic: a call without its result",
    ...invalid,
    body: anthropic(
      "messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
    ),
    rejected: [],
  },
  {
    from: "openai: the schema of a tool that is about images",
    ...invalid,
    body: openai(
      "Invalid schema for function 'draw': 'image' is not of type 'object'.",
      "invalid_function_parameters",
      "tools[3].function.parameters",
    ),
    rejected: [],
  },
  {
    from: "openai: a text against its policy",
    status: 400,
    kind: "content-policy",
    body: openai("Your request was flagged by our safety system.", "content_policy_violation"),
    rejected: [],
  },
  {
    from: "openai: a setting",
    ...invalid,
    body: openai(
      "Unsupported parameter: 'max_tokens' is not supported with this model.",
      "unsupported_parameter",
      "max_tokens",
    ),
    rejected: [],
  },
  {
    from: "anthropic: too many requests with images",
    status: 429,
    kind: "rate-limited",
    body: anthropic("This request would exceed your rate limit for image inputs.", "rate_limit_error"),
    rejected: [],
  },
]
