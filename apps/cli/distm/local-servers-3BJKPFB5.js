import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import{a}from"./chunk-AG5W3TRZ.js";import"./chunk-HVLJ27ID.js";import"./chunk-QRLT7W3P.js";import"./chunk-L2IX3JJ5.js";import"./chunk-QY3OMRCB.js";export{a as findLocalServers};
