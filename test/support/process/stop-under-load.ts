import { setTimeout as sleep } from 'node:timers/promises'
import { audit } from '../metering/sample-audit.ts'
import { isAcknowledged, type SentBatch, startLoad } from '../metering/sample-load.ts'
import type { Random } from '../seed.ts'
import type { Installation } from './killed-service.ts'

export interface StopRound {
  readonly code: number | null
  readonly ms: number
  readonly acknowledged: number
  /**
   * Requests that were neither answered with 2xx nor refused by a closed port, and missing data: both must be
   * empty.
   */
  readonly faults: readonly string[]
  readonly nextStep: number
}

/** Stops the service under a load of samples, starts it again and compares. */
export async function stopUnderLoad(
  installation: Installation,
  random: Random,
  firstStep: number,
): Promise<StopRound> {
  const load = startLoad(installation.target, random, firstStep)
  await load.acknowledged(random.between(5, 40))
  await sleep(random.between(0, 500))
  const stopped = await installation.service.stop('SIGTERM')
  const sent = await load.end()
  await installation.start()
  const { acknowledged, stored, faults } = await audit(installation.target, sent)
  const extra = stored === acknowledged ? [] : [`${stored} samples are stored, ${acknowledged} were answered`]
  return {
    ...stopped,
    acknowledged,
    faults: [...sent.flatMap(faultOf), ...faults, ...extra],
    nextStep: Math.max(...sent.map(({ from, count }) => from + count)),
  }
}

function faultOf(batch: SentBatch): string[] {
  const { outcome } = batch
  if (outcome.kind === 'refused' || isAcknowledged(batch)) return []
  return [`the request of step ${batch.from} ended with ${JSON.stringify(outcome)}`]
}
