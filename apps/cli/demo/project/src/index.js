export { dishLine } from "./dish-line.js"
export { truncate } from "./truncate.js"
