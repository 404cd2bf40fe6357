/** Writes docs/api/message-codes.md from the messages.ts files. */
import { writeFileSync } from 'node:fs'
import { MESSAGE_CODES_FILE, messageCodesDocument } from './message-codes-document.ts'

writeFileSync(MESSAGE_CODES_FILE, await messageCodesDocument())
