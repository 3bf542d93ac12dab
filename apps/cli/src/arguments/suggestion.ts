export { didYouMean, suggestion } from "@pawl/config/did-you-mean"
