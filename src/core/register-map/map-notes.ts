import { isRegister } from '../../kernel/metrics.ts'
import type { ImportNote } from './import-names.ts'
import type { RegisterMap } from './types.ts'

const INTERVAL_NOTE =
  'is an interval_delta: hourly facts are not built from it. Where the device also has a running ' +
  'total, map that one as cumulative_counter; else let the gateway add the deltas up and send the ' +
  'sum'

/** Advice about registers that are valid but probably not what the user wants. */
export const findNotes = (map: RegisterMap): ImportNote[] =>
  map.registers.flatMap(({ key, metric, kind }) =>
    kind === 'interval_delta' && metric !== null && isRegister(metric) ? [{ key, note: INTERVAL_NOTE }] : [],
  )
