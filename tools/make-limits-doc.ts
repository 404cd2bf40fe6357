/** Writes docs/operate/limits.md from the limits.ts files. */
import { writeFileSync } from 'node:fs'
import { LIMITS_FILE, limitsDocument } from './limits-document.ts'

writeFileSync(LIMITS_FILE, await limitsDocument())
