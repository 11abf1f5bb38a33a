/* The page for an address that none has: only what all pages share. */

import { shell } from "./shell.js";

await shell();
