import { AppError } from '../../../kernel/errors.ts'
import { EXPORTS_DIRECT_AT_ONCE, EXPORTS_DIRECT_PER_TENANT } from './limits.ts'
import { EXPORT_TEXTS } from './messages.ts'

/** Slots for files that are streamed while they are made, limited for the process and for each tenant. */
export interface DirectSlots {
  /**
   * Takes a slot and returns the function that releases it. 429 when the tenant has its share, 503 when all
   * are taken.
   */
  acquire(tenantId: number): () => void
}

export function makeDirectSlots(): DirectSlots {
  const byTenant = new Map<number, number>()
  let total = 0
  return {
    acquire(tenantId) {
      const own = byTenant.get(tenantId) ?? 0
      if (own >= EXPORTS_DIRECT_PER_TENANT)
        throw new AppError(429, 'RATE_LIMITED', EXPORT_TEXTS.DIRECT_EXPORTS_OF_TENANT({ count: own }))
      if (total >= EXPORTS_DIRECT_AT_ONCE)
        throw new AppError(503, 'SERVICE_OVERLOADED', EXPORT_TEXTS.DIRECT_EXPORTS_BUSY())
      byTenant.set(tenantId, own + 1)
      total += 1
      return () => {
        const left = (byTenant.get(tenantId) ?? 1) - 1
        if (left > 0) byTenant.set(tenantId, left)
        else byTenant.delete(tenantId)
        total -= 1
      }
    },
  }
}
