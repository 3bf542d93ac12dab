export { appendDurably, privateDirectory, type TextSink, writeDurably } from "./durable-file.ts"
export { makeFile, replaceFile } from "./held-file.ts"
export { statusOf } from "./status-of.ts"
