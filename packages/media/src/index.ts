export { resizeImage } from "./resize-image.ts"
