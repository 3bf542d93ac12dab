import { isObject, show } from "../../json-object.ts"

type Part = Readonly<Record<string, unknown>>

/** Checks of content parts by type. Each returns the path within the part, and a sentence. */
const checks: Readonly<Record<string, (part: Part) => string | undefined>> = {
  text: ({ text }) => (isText(text) ? undefined : ".text: must be a string that is not empty."),
  refusal: ({ refusal }) => (isText(refusal) ? undefined : ".refusal: must be a string that is not empty."),
  image_url: ({ image_url: image }) => {
    if (!isObject(image)) return `.image_url: must be an object, {url}, got ${show(image)}.`
    if (typeof image.url !== "string" || !/^(?:https?:\/\/|data:)./i.test(image.url)) {
      return `.image_url.url: ${show(image.url)} begins with none of http://, https:// and data:.`
    }
    const { detail = "auto" } = image
    if (["auto", "low", "high"].some((known) => known === detail)) return undefined
    return `.image_url.detail: ${show(detail)} is not one of auto, low, high.`
  },
  input_audio: ({ input_audio: audio }) => {
    const isAudio = isObject(audio) && isText(audio.data) && (audio.format === "wav" || audio.format === "mp3")
    return isAudio ? undefined : '.input_audio: must be {data, format}, where format is "wav" or "mp3".'
  },
  file: ({ file }) =>
    isObject(file) && (isText(file.file_id) || isText(file.file_data))
      ? undefined
      : ".file: must be an object with a file_id or file_data.",
}

/** Returns the first problem in a content part with one of the allowed types. */
export function validatePart(part: unknown, allowed: ReadonlySet<unknown>, place: string): string | undefined {
  if (!isObject(part)) return `${place}: must be an object.`
  if (!allowed.has(part.type)) return `${place}.type: ${show(part.type)} is not one of ${[...allowed].join(", ")}.`
  const problem = checks[String(part.type)]?.(part)
  return problem === undefined ? undefined : place + problem
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== ""
}
