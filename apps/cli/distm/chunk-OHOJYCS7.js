import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
async function c(e){let t=[];for await(let o of e)t.push(o);return t}export{c as a};
