import type { PromptPart } from "@pawl/core"
import type { JSONObject } from "@pawl/core/record"

/** Returns true if a text part before the file has its content. The model does not get the file itself. */
export function isText({ mime }: { readonly mime?: unknown }): boolean {
  return mime === "text/plain" || mime === "application/x-directory"
}

/** Returns the parts of a recorded prompt. A file with another URL than `data:` is replaced by a text that names it. */
export function promptOf(parts: readonly JSONObject[]): PromptPart[] {
  return parts
    .filter((part, at) => !isWrittenOut(part, parts[at - 1]))
    .map((part): PromptPart => {
      if (part["type"] !== "file") return part as unknown as PromptPart
      const [mime, filename, url] = [part["mime"], part["filename"], part["url"]].map((each) => {
        return typeof each === "string" ? each : undefined
      })
      if (mime !== undefined && url?.startsWith("data:")) {
        return {
          type: "file",
          mime,
          url,
          ...(filename !== undefined ? { filename } : {}),
        }
      }
      return {
        type: "text",
        synthetic: true,
        text: `[The file ${filename ?? "of the prompt"} is not in the recording.]`,
      }
    })
}

function isWrittenOut(part: JSONObject, before: JSONObject | undefined): boolean {
  return part["type"] === "file" && isText(part) && before?.["type"] === "text" && before["synthetic"] === true
}
