import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-QRLT7W3P.js";import"./chunk-L2IX3JJ5.js";import"./chunk-QY3OMRCB.js";export{a as defaultModelInfo,b as openAICompatible};
