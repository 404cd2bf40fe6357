import { r00l } from './r00l.ts'
import { r00t } from './r00t.ts'
import { r001 } from './r001.ts'
import { r002 } from './r002.ts'
import { r003 } from './r003.ts'
import { r003m } from './r003m.ts'
import { r005 } from './r005.ts'
import { r007 } from './r007.ts'
import { r008 } from './r008.ts'
import { r009 } from './r009.ts'
import { r010 } from './r010.ts'
import { r011 } from './r011.ts'
import { r013 } from './r013.ts'
import type { Rule } from './types.ts'

/**
 * The 13 registered rules in the order of their results. R004, R006 and R012 are reserved: the law does not
 * require the first two, and the third is enforced at every write. [our decision: the interface names 16 ids]
 */
export const RULES: readonly Rule[] = [
  r001,
  r002,
  r003,
  r003m,
  r005,
  r007,
  r008,
  r009,
  r010,
  r011,
  r013,
  r00t,
  r00l,
]
