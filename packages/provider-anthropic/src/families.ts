/** Claude 5 and later decide themselves how long to think. */
export function isThinkingByItself(modelID: string): boolean {
  return /claude-(?:opus|sonnet|haiku|fable)-(?:[5-9]|\d{2})(?!\d)/.test(modelID)
}

/** Claude 4.6 and later accept an effort, earlier models a number of tokens. */
export function takesEffort(modelID: string): boolean {
  return isThinkingByItself(modelID) || /claude-(?:opus|sonnet)-4-[6-9](?!\d)/.test(modelID)
}
