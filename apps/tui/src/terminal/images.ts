import { execFile } from "node:child_process"
import { existsSync, statSync } from "node:fs"
import { isAbsolute, resolve } from "node:path"
import { fileURLToPath } from "node:url"

const IMAGE = /\.(?:png|jpe?g|gif|webp)$/i
const MAX_PASTED = 8192

/**
 * Returns the image files that a pasted text names, as terminals paste dropped files: quoted, with backslashes, or as
 * `file://`. Undefined unless all of it names images that exist.
 */
export function pastedImages(text: string, directory: string, home: string | undefined): string[] | undefined {
  if (text.length > MAX_PASTED || text.trim() === "") return undefined
  const whole = toPath(text.trim(), directory, home)
  if (whole !== undefined) return [whole]
  const paths = wordsOf(text).map((word) => toPath(word, directory, home))
  return paths.every((path) => path !== undefined) ? paths : undefined
}

/** Splits as a shell does: at spaces that are neither quoted nor behind a backslash. */
function wordsOf(text: string): string[] {
  const words = text.match(/(?:"[^"]*"|'[^']*'|\\.|[^\s"'\\])+/gs) ?? []
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'|\\(.)/gs, "$1$2$3"))
}

function toPath(written: string, directory: string, home: string | undefined): string | undefined {
  const path = written.startsWith("file://") ? fromURL(written) : written.replace(/^~(?=\/)/, home ?? "~")
  if (path === undefined || /\p{Cc}/u.test(path) || !IMAGE.test(path)) return undefined
  const absolute = isAbsolute(path) ? path : resolve(directory, path)
  return existsSync(absolute) && statSync(absolute).isFile() ? absolute : undefined
}

function fromURL(url: string): string | undefined {
  try {
    return fileURLToPath(url)
  } catch {
    return undefined
  }
}

/** Programs that print the image of the clipboard. */
const PROGRAMS = [
  ["wl-paste", "--type", "image/png"],
  ["xclip", "-selection", "clipboard", "-target", "image/png", "-out"],
  ["pngpaste", "-"],
] as const

const MAX_IMAGE_BYTES = 32 * 1024 ** 2
const CLIPBOARD_TIMEOUT_MS = 5000

/** Returns the image of the clipboard as PNG. Rejects with a sentence for the user. */
export async function clipboardImage(): Promise<Buffer> {
  let isFound = false
  for (const [program, ...args] of PROGRAMS) {
    const options = { encoding: "buffer", maxBuffer: MAX_IMAGE_BYTES, timeout: CLIPBOARD_TIMEOUT_MS } as const
    const output = await new Promise<Buffer | "missing">((done) => {
      execFile(program, args, options, (error, stdout) => {
        done(error && "code" in error && error.code === "ENOENT" ? "missing" : stdout)
      })
    })
    if (output === "missing") continue
    isFound = true
    if (output.subarray(1, 4).toString("latin1") === "PNG") return output
  }
  if (isFound) throw new Error("The clipboard holds no image.")
  throw new Error("Pasting an image needs wl-paste, xclip or pngpaste. Or paste the path of the image file.")
}
