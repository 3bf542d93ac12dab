/** Formats choices as a phrase: `auto, always or never`. */
export function oneOf(choices: readonly string[]): string {
  return [choices.slice(0, -1).join(", "), ...choices.slice(-1)].filter((part) => part !== "").join(" or ")
}
