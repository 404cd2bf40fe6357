import { makeEncoderOf } from '../encoding.ts'
import type { MessagesV201 } from '../messages-v201.ts'

/** Encodes a command as a message of this version; the compiler checks it against the schema's types. */
export const encoder = makeEncoderOf<MessagesV201>()
