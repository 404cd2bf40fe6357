import { total } from '../../kernel/decimal.ts'
import type { NettedSlice, ProducerShare } from './match.ts'
import { sortedBy } from './text-order.ts'
import type { ReasonCode, VirtualMeterRow, VirtualMeterType } from './types.ts'

/** A virtual meter row with its producers: all that have production in its slice and bucket. */
export interface VirtualMeter {
  readonly row: VirtualMeterRow
  readonly producers: readonly ProducerShare[]
}

type PartField = 'bedelliKwh' | 'skbKwh' | 'bedelsizKwh'

/**
 * The rows of one slice: the producers' parts summed by grid operator and source kind. Zero rows are not
 * written.
 */
export function virtualMetersOf(netted: NettedSlice): VirtualMeter[] {
  const parts: readonly (readonly [VirtualMeterType, PartField, ReasonCode])[] = [
    ['bedelli', 'bedelliKwh', netted.bedelliReason],
    ['skb_odemeli', 'skbKwh', 'limit_exceeded'],
    ['bedelsiz', 'bedelsizKwh', netted.bedelsizReason],
  ]
  return parts
    .filter(([, field]) => netted[field] > 0n)
    .flatMap(([type, field, reason]) => bucketsOf(netted, { type, field, reason }))
}

interface Part {
  readonly type: VirtualMeterType
  readonly field: PartField
  readonly reason: ReasonCode
}

function bucketsOf(netted: NettedSlice, { type, field, reason }: Part): VirtualMeter[] {
  const buckets = new Map<string, ProducerShare[]>()
  for (const share of netted.producers) {
    if (share.productionKwh === 0n) continue
    const key = bucketKey(share)
    const known = buckets.get(key)
    if (known) known.push(share)
    else buckets.set(key, [share])
  }
  return sortedBy([...buckets.entries()], ([key]) => key).flatMap(([, producers]) => {
    const member = producers[0]?.party.member
    const quantityKwh = total(producers.map((share) => share[field]))
    if (!member || quantityKwh === 0n) return []
    const row: VirtualMeterRow = {
      hour: netted.slice.hour,
      virtualMeterType: type,
      gridOperatorId: member.gridOperatorId,
      sourceKind: member.sourceType ?? 'unknown',
      reasonCode: reason,
      quantityKwh,
    }
    return [{ row, producers }]
  })
}

const bucketKey = ({ party: { member } }: ProducerShare): string =>
  `${member.gridOperatorId ?? ''}|${member.sourceType ?? 'unknown'}`
