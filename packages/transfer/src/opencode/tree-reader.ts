import { readdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { isObject } from "../json.ts"
import { parsedJSON } from "./json-text.ts"
import type { OpenCodeReader, Report } from "./reader.ts"
import { MAX_RECORD_BYTES, reportSize } from "./within-limits.ts"

/**
 * Reads OpenCode's older JSON files: `session/<project>/<session>.json`, `message/<session>/<message>.json`,
 * `part/<message>/<part>.json`.
 */
export function openTreeReader(root: string, report: Report): OpenCodeReader {
  const projects = new Map<string, string>()

  async function read(path: string): Promise<Record<string, unknown> | undefined> {
    let text: string
    try {
      const { size } = await stat(path)
      if (size > MAX_RECORD_BYTES) {
        reportSize(report, path, size)
        return undefined
      }
      text = await readFile(path, "utf8")
    } catch (error) {
      // OpenCode may have removed the file.
      if (!isMissing(error)) report(path, `It could not be read and was left out: ${String(error)}`)
      return undefined
    }
    const value = parsedJSON(text, path, report)
    if (isObject(value)) return value
    if (value !== undefined) report(path, "It is not a JSON object and was left out.")
    return undefined
  }

  return {
    location: root,
    async sessionIDs() {
      for (const project of await names(join(root, "session"))) {
        for (const id of await ids(join(root, "session", project))) projects.set(id, project)
      }
      return [...projects.keys()].toSorted()
    },
    async session(id) {
      const project = projects.get(id) ?? "global"
      const session = await read(join(root, "session", project, `${id}.json`))
      return session && { projectID: project, ...session, id }
    },
    async messageDirectories(sessionID) {
      const places = []
      for (const id of await ids(join(root, "message", sessionID))) {
        const message = await read(join(root, "message", sessionID, `${id}.json`))
        if (message) places.push({ id, time: createdAt(message) })
      }
      return places
    },
    async message(sessionID, id) {
      const info = await read(join(root, "message", sessionID, `${id}.json`))
      if (!info) return undefined
      const parts = []
      for (const partID of await ids(join(root, "part", id))) {
        const part = await read(join(root, "part", id, `${partID}.json`))
        if (part) parts.push({ ...part, id: partID, sessionID, messageID: id })
      }
      return { info: { ...info, id, sessionID }, parts }
    },
    close: () => {},
  }
}

async function ids(directory: string): Promise<string[]> {
  return (await names(directory)).filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -".json".length))
}

/** Returns sorted names; empty if the directory is missing. */
async function names(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).toSorted()
  } catch (error) {
    if (isMissing(error) || (error as NodeJS.ErrnoException).code === "ENOTDIR") return []
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT"
}

function createdAt({ time }: Record<string, unknown>): number {
  return isObject(time) && typeof time["created"] === "number" ? time["created"] : 0
}
