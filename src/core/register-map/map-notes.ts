import { isRegister } from '../../kernel/metrics.ts'
import { MAP_NOTES } from './file-messages.ts'
import type { ImportNote } from './import-names.ts'
import type { RegisterMap } from './types.ts'

/** Advice about registers that are valid but probably not what the user wants. */
export const findNotes = (map: RegisterMap): ImportNote[] =>
  map.registers.flatMap(({ key, metric, kind }) =>
    kind === 'interval_delta' && metric !== null && isRegister(metric)
      ? [{ key, note: MAP_NOTES.MAP_NOTE_INTERVAL() }]
      : [],
  )
