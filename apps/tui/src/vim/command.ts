import { isMotion, type Motion } from "./motions.ts"
import { isTextObject } from "./text-objects.ts"

export type Operator = "d" | "c" | "y"

/** The target of an operator. */
export type Target =
  | { readonly type: "motion"; readonly motion: Motion }
  | { readonly type: "lines" }
  | { readonly type: "object"; readonly name: string; readonly isInner: boolean }

/** A command of normal mode. `count` is missing if none was typed. */
export type Command =
  | { readonly type: "move"; readonly motion: Motion; readonly count?: number }
  | { readonly type: "operate"; readonly operator: Operator; readonly target: Target; readonly count?: number }
  | { readonly type: "replace"; readonly character: string; readonly count?: number }
  | { readonly type: "simple"; readonly name: string; readonly count?: number }

const SIMPLE = "iIaAoOpPuJ~.vV"

/** Commands that are another one in short. */
const SHORT: Readonly<Record<string, string>> = {
  ...{ x: "dl", X: "dh", D: "d$", C: "c$", Y: "yy", s: "cl", S: "cc", " ": "l" },
}

const MAX_COUNT = 9999
const GRAMMAR = /^([1-9]\d*)?([dcy])?([1-9]\d*)?([^]*)$/

/** Parses the keys of a command. Returns "more" if keys are missing, and undefined if there is no such command. */
export function parseCommand(keys: string): Command | "more" | undefined {
  const [, first, operator, second, rest = ""] = GRAMMAR.exec(keys) ?? []
  if (rest === "") return "more"
  const short = operator === undefined ? SHORT[rest] : undefined
  if (short !== undefined) return parseCommand(`${first ?? ""}${short}`)
  const count =
    first === undefined && second === undefined
      ? {}
      : { count: Math.min(MAX_COUNT, Number(first ?? 1) * Number(second ?? 1)) }
  if (operator !== undefined) {
    const target = parseTarget(rest, operator)
    return target === "more" || !target ? target : { type: "operate", operator: operator as Operator, target, ...count }
  }
  if (rest === "r") return "more"
  if (rest.startsWith("r")) return { type: "replace", character: rest.slice(1), ...count }
  if (SIMPLE.includes(rest)) return { type: "simple", name: rest, ...count }
  const motion = parseMotion(rest)
  return motion === "more" || !motion ? motion : { type: "move", motion, ...count }
}

function parseTarget(rest: string, operator: string): Target | "more" | undefined {
  if (rest === operator) return { type: "lines" }
  const [, side, name = ""] = /^([ia])([^]*)$/.exec(rest) ?? []
  if (side !== undefined) {
    if (name === "") return "more"
    return isTextObject(name) ? { type: "object", name, isInner: side === "i" } : undefined
  }
  const motion = parseMotion(rest)
  return motion === "more" || !motion ? motion : { type: "motion", motion }
}

export function parseMotion(rest: string): Motion | "more" | undefined {
  if (rest === "g" || /^[fFtT]$/.test(rest)) return "more"
  if (/^[fFtT]/.test(rest)) return { name: rest.slice(0, 1), character: rest.slice(1) }
  return isMotion(rest) || rest === ";" || rest === "," ? { name: rest } : undefined
}
