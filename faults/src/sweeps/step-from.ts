/** How far the next point is: the step, and where points are sampled the further the more of them lie behind. */
export function stepFrom(number: number, step: number): number {
  return step === 1 ? 1 : step + Math.floor(number / 3)
}
