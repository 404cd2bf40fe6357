import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { unpackInput } from '../../../core/netting/input-pack.ts'
import type { PeriodInput } from '../../../core/netting/types.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'

/** The limit of a decompressed input in bytes, far above the text of a month with 1,000 facilities. */
const INPUT_BYTES_MAX = 256 * 1024 * 1024

/** Returns the stored input of a run; undefined for a run that was made before inputs were stored. */
export async function readRunInput(tenant: TenantDb, runId: string): Promise<PeriodInput | undefined> {
  const row = await selectRows(tenant, 'calculation_input')
    .select('input')
    .where('calculation_run_id', '=', runId)
    .executeTakeFirst()
  if (!row) return undefined
  const text = await promisify(gunzip)(row.input, { maxOutputLength: INPUT_BYTES_MAX })
  return unpackInput(text.toString('utf8'))
}
