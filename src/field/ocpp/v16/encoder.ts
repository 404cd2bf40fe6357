import { makeEncoderOf } from '../encoding.ts'
import type { MessagesV16 } from '../messages-v16.ts'

/** Encodes a command as a message of this version; the compiler checks it against the schema's types. */
export const encoder = makeEncoderOf<MessagesV16>()
