export { plainLine, plainText, visibleText } from "@pawl/plain-text"
