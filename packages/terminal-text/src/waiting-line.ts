import type { EventMap } from "@pawl/core"
import { plainLine } from "@pawl/plain-text"
import { wholeSeconds } from "./quantity.ts"

/** Characters of the answer so far, from its end. */
const SHOWN_TEXT = 120

/** That a model is silent, and what it has said so far, unless that is to be seen already: then `text` is empty. */
export function waitingLine({ model, waited, isAlive, text }: EventMap["session.waiting"]): string {
  const name = plainLine(`${model.providerID}/${model.modelID}`)
  const state = isAlive ? "its server keeps the connection alive" : "its server sends nothing"
  const line = plainLine(text).trim()
  const said = line.length > SHOWN_TEXT ? `…${line.slice(-SHOWN_TEXT).toWellFormed()}` : line
  const soFar = said === "" ? "" : ` · so far: ${said}`
  return `waiting for ${name} for ${wholeSeconds(Math.round(waited / 1000))}: ${state}${soFar}`
}
