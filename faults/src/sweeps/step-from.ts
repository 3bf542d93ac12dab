/** Returns the distance to the next point. If points are sampled, the distance grows with their number. */
export function stepFrom(number: number, step: number): number {
  return step === 1 ? 1 : step + Math.floor(number / 3)
}
