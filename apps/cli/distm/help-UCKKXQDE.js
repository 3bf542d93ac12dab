import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import{b as e,c as m}from"./chunk-BP35S5OJ.js";import{c as t}from"./chunk-EBRI4OZ7.js";import"./chunk-TH56ZDFU.js";import"./chunk-QY3OMRCB.js";async function i({words:r},o){return e(m,r,o.stdout,o.environment),t.success}export{i as help};
