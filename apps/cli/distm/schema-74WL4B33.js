import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import{a}from"./chunk-SIQS7RYD.js";import"./chunk-IFUDN62D.js";import"./chunk-INWJNB5O.js";import"./chunk-LCNAQSBX.js";import"./chunk-QY3OMRCB.js";export{a as schema};
