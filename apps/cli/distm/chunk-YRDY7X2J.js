import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import{basename as e,extname as t,join as r}from"node:path";var i="replay";function s(n){return{demo:r(n,"script.jsonl"),hello:r(n,"hello.jsonl")}}function c(n){return e(n,t(n))}export{i as a,s as b,c};
