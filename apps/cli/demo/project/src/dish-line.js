import { truncate } from "./truncate.js"

/** A dish and its price, with dots in between: as wide as the card. */
export function dishLine(name, price, width) {
  const amount = price.toFixed(2)
  const dish = truncate(name, width - amount.length - 2)
  const dots = ".".repeat(width - [...dish].length - amount.length - 2)
  return `${dish} ${dots} ${amount}`
}
