import { encodedBytes, type FileContent, imageSize, readDataURL } from "@pawl/core/provider"
import type { MediaItem } from "./media-items.ts"

/**
 * Returns the files that an error about media means if it names no place: the surplus files, all files of a refused
 * kind, or the newest file that matches its words. Prefers new files to files that were accepted before. Undefined if
 * there are no files.
 */
export function narrowByWords(words: string, items: readonly MediaItem[]): MediaItem[] | undefined {
  const ofClass = narrowed(items, ({ file }) => classesIn(words).includes(mediaClass(file)))
  const most = mostAllowed(words)
  if (most !== undefined) return ofClass.slice(0, Math.max(1, ofClass.length - most))
  if (NONE_ALLOWED.some((pattern) => pattern.test(words))) return ofClass
  let left = ofClass
  for (const filter of [byName(words), byType(words), byBytes(words), byPixels(words)]) {
    if (filter) left = narrowed(left, filter)
  }
  const newest = left.findLast(({ isNew }) => isNew) ?? left.at(-1)
  return newest && [newest]
}

type Filter = (item: MediaItem) => boolean

/** Applies a filter. Ignores a filter that matches nothing, because it has misread the words. */
function narrowed(items: readonly MediaItem[], filter: Filter): MediaItem[] {
  const left = items.filter(filter)
  return left.length > 0 ? left : [...items]
}

type MediaClass = "image" | "document" | "audio" | "video"

const classWords: readonly (readonly [MediaClass, RegExp])[] = [
  ["image", /\b(?:images?|image_url|input_image|pictures?|vision)\b/i],
  ["document", /\b(?:pdfs?|documents?|input_file|file_data)\b/i],
  ["audio", /\b(?:audio|input_audio)\b/i],
  ["video", /\bvideos?\b/i],
]

function classesIn(words: string): MediaClass[] {
  return classWords.filter(([, pattern]) => pattern.test(words)).map(([name]) => name)
}

function mediaClass({ mime }: FileContent): MediaClass {
  const [top] = mime.split("/")
  return top === "image" || top === "audio" || top === "video" ? top : "document"
}

/**
 * Patterns such as `At most 1 image(s)`, `exceeding the maximum of 50 allowed`, `107 images > 100`, `104 + 1 > 100`.
 */
const COUNTS: readonly RegExp[] = [
  /\b(?:at most|up to|no more than|limit of|maximum of) (\d{1,5}) (?:image|document|file|video|audio)/i,
  /\d images?, exceeding the maximum of (\d{1,5})/i,
  /\btoo (?:many|much) (?:images|documents|files|media)[^.>]*> ?(\d{1,5})/i,
]

function mostAllowed(words: string): number | undefined {
  const found = COUNTS.map((pattern) => pattern.exec(words)?.[1]).find((count) => count !== undefined)
  return found === undefined ? undefined : Number(found)
}

/** Matches errors of models that read no files of the kind. */
const NONE_ALLOWED: readonly RegExp[] = [
  /no endpoints? found that support/i,
  /not a multi-?modal model/i,
  /does(?: not|n't) support (?:\w+ ){0,2}(?:image|vision|pdf|document|audio|video|file|media|multi-?modal)/i,
  /(?:image|image_url|vision|pdf|audio|video|file)(?: \w+)? (?:is|are) (?:not supported (?:by|for|with)|only supported by)/i,
  /(?:image|pdf|audio|video|file) (?:input|content)s? (?:is|are) not supported/i,
  // Servers that only support text, and models without their vision part.
  /unknown variant `?(?:image_url|input_audio|file)/i,
  /missing data required for image/i,
]

/** Matches files by their URL or name. */
function byName(words: string): Filter {
  const has = (text: string | undefined) => text !== undefined && text.length > 2 && words.includes(text)
  return ({ file }) => has(file.filename) || (!file.url.startsWith("data:") && has(file.url))
}

const MIME = /\b(?:image|audio|video|application)\/[a-z0-9][a-z0-9.+-]*[a-z0-9]/gi
const LISTED = /\b(?:png|jpe?g|gif|webp|heic|heif)\b/gi

/**
 * Matches files by type. A single type is the refused one. Of two types, the first is the declared type of the file.
 * More types are a list of the accepted ones.
 */
function byType(words: string): Filter | undefined {
  const types = [...new Set([...words.matchAll(MIME)].map(([type]) => type.toLowerCase()))]
  const [first] = types
  if (first !== undefined && types.length <= 2) return ({ file }) => file.mime === first
  if (types.length > 2) return ({ file }) => !types.includes(file.mime)
  const listed = new Set(
    [...words.matchAll(LISTED)].map(([type]) => `image/${type.toLowerCase().replace("jpg", "jpeg")}`),
  )
  return listed.size > 2 ? ({ file }) => !listed.has(file.mime) : undefined
}

/** Matches files by size. `8259148 bytes > 5242880 bytes` names the file's size, encoded or not; `5 MB` a limit. */
function byBytes(words: string): Filter | undefined {
  const exact = [...words.matchAll(/\b(\d{4,}) bytes/g)].map(([, bytes]) => Number(bytes))
  const limit = /\b(\d{1,4}(?:\.\d+)?) ?MB\b/.exec(words)?.[1]
  if (exact.length === 0 && limit === undefined) return undefined
  return ({ file }) => {
    const data = readDataURL(file.url)
    if (!data) return false
    if (exact.length > 0) return exact.includes(data.size) || exact.includes(encodedBytes(data))
    return encodedBytes(data) > Number(limit) * 1_000_000
  }
}

function byPixels(words: string): Filter | undefined {
  const most = /\b(\d{2,5}) ?(?:pixels|px)\b/.exec(words)?.[1]
  if (most === undefined) return undefined
  return ({ file }) => {
    const data = readDataURL(file.url)
    const size = data && imageSize(data)
    return size !== undefined && Math.max(size.width, size.height) > Number(most)
  }
}
