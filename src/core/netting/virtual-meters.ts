import { add, ZERO_KWH } from '../../kernel/decimal.ts'
import type { NettedSlice, ProducerShare } from './match.ts'
import { sortedBy } from './text-order.ts'
import type { MemberInput, ReasonCode, VirtualMeterRow, VirtualMeterType } from './types.ts'

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
  const { bedelliKwh, skbKwh, bedelsizKwh, bedelliReason, bedelsizReason } = netted
  if (bedelliKwh + skbKwh + bedelsizKwh === 0n) return []
  const buckets = bucketsOf(netted)
  const meters: VirtualMeter[] = []
  const addMeters = (type: VirtualMeterType, field: PartField, reasonCode: ReasonCode): void => {
    for (const { member, producers } of buckets) {
      let quantityKwh = ZERO_KWH
      for (const share of producers) quantityKwh = add(quantityKwh, share[field])
      if (quantityKwh === 0n) continue
      const row: VirtualMeterRow = {
        hour: netted.slice.hour,
        virtualMeterType: type,
        gridOperatorId: member.gridOperatorId,
        sourceKind: member.sourceType ?? 'unknown',
        reasonCode,
        quantityKwh,
      }
      meters.push({ row, producers })
    }
  }
  if (bedelliKwh > 0n) addMeters('bedelli', 'bedelliKwh', bedelliReason)
  if (skbKwh > 0n) addMeters('skb_odemeli', 'skbKwh', 'limit_exceeded')
  if (bedelsizKwh > 0n) addMeters('bedelsiz', 'bedelsizKwh', bedelsizReason)
  return meters
}

interface Bucket {
  readonly key: string
  /** One of them: what a row names is the same for all. */
  readonly member: MemberInput
  readonly producers: ProducerShare[]
}

/** The producers with production by grid operator and source kind, in the order of their keys. */
function bucketsOf({ producers }: NettedSlice): Bucket[] {
  const buckets: Bucket[] = []
  for (const share of producers) {
    if (share.productionKwh === 0n) continue
    const { member } = share.party
    const key = bucketKey(member)
    const known = buckets.find((bucket) => bucket.key === key)
    if (known) known.producers.push(share)
    else buckets.push({ key, member, producers: [share] })
  }
  return buckets.length > 1 ? sortedBy(buckets, ({ key }) => key) : buckets
}

const bucketKey = ({ gridOperatorId, sourceType }: MemberInput): string =>
  `${gridOperatorId ?? ''}|${sourceType ?? 'unknown'}`
