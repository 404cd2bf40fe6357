import type { Readable } from 'node:stream'
import { localDate } from '../../../../kernel/time.ts'
import { inTenantSnapshot, type TenantDb } from '../../../../platform/db/tenant.ts'
import { LOTO_RECORD_EVENTS_MAX } from '../limits.ts'
import { findSession } from '../sessions/service.ts'
import * as trail from '../sessions/trail-store.ts'
import { drawRecord } from './draw.ts'
import { recordLabels } from './labels.ts'

interface RecordOptions {
  readonly id: string
  readonly locale: 'tr' | 'en'
  /** Epoch milliseconds. */
  readonly at: number
}

/** Creates the PDF record of a session from one consistent read; 404 for an unknown session. */
export async function makeRecord(
  db: TenantDb,
  { id, locale, at }: RecordOptions,
): Promise<{ readonly content: Readable; readonly fileName: string }> {
  const content = await inTenantSnapshot(db, async (tx) => {
    const session = await findSession(tx, id)
    const { items, total } = await trail.list(tx, id, { limit: LOTO_RECORD_EVENTS_MAX, offset: 0 })
    return { session, events: items, isComplete: items.length === total }
  })
  const fileName = `${recordLabels(locale).fileName}-${localDate(at)}-${id.slice(0, 8)}.pdf`
  return { content: await drawRecord({ content, locale, at }), fileName }
}
