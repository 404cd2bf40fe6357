import { AppError } from '../../../../kernel/errors.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { DELIVERY_TEXTS } from '../messages.ts'
import { WebhookError } from '../webhooks/call.ts'
import { type ReceiverKind, readProgress } from './store.ts'

/** The rows of receivers with their delivery state. */
export async function withDeliveryState<Row extends { readonly id: string }>(
  db: TenantDb,
  kind: ReceiverKind,
  rows: readonly Row[],
) {
  const progress = await readProgress(
    db,
    kind,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => {
    const state = progress.get(row.id)
    return {
      ...row,
      failures: state?.failing_since ? state.attempts : 0,
      failing_since: state?.failing_since ?? null,
      last_error: state?.last_error ?? null,
    }
  })
}

/** The result of a test, which resolves to the status of the receiver's response. */
export async function resultOfTest(send: () => Promise<number>) {
  try {
    return { ok: true, message: DELIVERY_TEXTS.DELIVERY_ANSWERED({ status: await send() }) }
  } catch (error) {
    if (error instanceof AppError || !(error instanceof WebhookError)) throw error
    return { ok: false, message: error.content }
  }
}
