import { isObject, show } from "../../json-object.ts"
import { firstProblem, isAbsent, type Problem } from "../problem.ts"
import { declaredNames } from "./validate-tools.ts"

const modes = ["AUTO", "ANY", "NONE", "VALIDATED"]

/** Returns the first problem in `toolConfig`. Requires valid tools. */
export function validateToolConfig(config: unknown, tools: unknown): Problem {
  if (isAbsent(config)) return undefined
  if (!isObject(config)) return `toolConfig: must be an object, got ${show(config)}.`
  const { functionCallingConfig: calling } = config
  if (isAbsent(calling)) return undefined
  const place = "toolConfig.functionCallingConfig"
  if (!isObject(calling)) return `${place}: must be an object, got ${show(calling)}.`
  const { mode = "AUTO", allowedFunctionNames: allowed } = calling
  if (!modes.some((known) => known === mode)) return `${place}.mode: ${show(mode)} is not one of ${modes.join(", ")}.`
  const names = declaredNames(tools)
  if (mode === "ANY" && names.length === 0) return `${place}.mode: ANY needs functions to choose from.`
  if (isAbsent(allowed)) return undefined
  if (!Array.isArray(allowed)) return `${place}.allowedFunctionNames: must be an array.`
  if (mode !== "ANY" && mode !== "VALIDATED")
    return `${place}.allowedFunctionNames: only allowed with mode ANY or VALIDATED.`
  return firstProblem(allowed as unknown[], (name) =>
    names.some((known) => known === name)
      ? undefined
      : `${place}.allowedFunctionNames: there is no function ${show(name)} in tools.`,
  )
}
