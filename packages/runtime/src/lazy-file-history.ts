import type { FileHistory } from "@pawl/core/host"
import type { FileHistoryOptions } from "@pawl/undo"

/** Creates a file history whose code is loaded in the background with the first request. */
export function lazyFileHistory(options: FileHistoryOptions): FileHistory {
  let opened: Promise<FileHistory> | undefined
  const open = () => (opened ??= import("@pawl/undo").then(({ createFileHistory }) => createFileHistory(options)))
  return {
    prepare: (location) => void open().then((history) => history.prepare(location)),
    recorded: (change) => void open().then((history) => history.recorded(change)),
    watch: async (call) => (await open()).watch(call),
    recover: async (call) => (await open()).recover(call),
    plan: async (changes, blobs) => (await open()).plan(changes, blobs),
    apply: async (files, blobs) => (await open()).apply(files, blobs),
    diff: async (changes, diffOptions) => (await open()).diff(changes, diffOptions),
    close: async () => (await opened)?.close(),
  }
}
