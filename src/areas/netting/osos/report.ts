import { OSOS_REPORTED_MAX } from './limits.ts'
import type { Recorded } from './record.ts'

/** Returns the counts and lists that both reports contain. */
export const reportOf = ({ importId, counts, factsWritten, shortDays }: Recorded, rowsRead: number) => ({
  import_id: importId,
  rows_read: rowsRead,
  ...counts,
  facts_written: factsWritten,
  short_days: shortDays.slice(0, OSOS_REPORTED_MAX).map(({ installationId, date, hoursPresent }) => ({
    installation_id: installationId,
    date,
    hours_present: hoursPresent,
  })),
  short_days_total: shortDays.length,
})
