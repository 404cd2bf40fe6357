import { HOUR_MS, periodOf } from '../src/kernel/time.ts'
import { ensurePartitions } from '../src/platform/db/partitions.ts'
import type { EmbeddedBroker } from '../src/platform/mqtt/broker-hooks.ts'
import { makeEmbeddedBroker } from '../src/platform/mqtt/embedded.ts'
import { type BenchGateway, makeGateway, type OpenBroker, openGateways } from './support/gateways.ts'
import type { PublishOrder } from './support/mqtt-publisher.ts'
import { type BenchService, openService } from './support/service.ts'
import { type Bench, type Figure, median } from './support/types.ts'
import { startWorker, type Worker } from './support/worker.ts'

const GATEWAYS = 20
const DEVICES_PER_GATEWAY = 5
const WINDOW = 2_000
const MESSAGES = 60_000
const BYTES = 1_000
const ROUNDS = 5
const STEP_MS = 10
/** Of the running hour, and live: what is older than ten minutes goes another way. */
const START_MS = HOUR_MS - 6 * 60_000
/** A round is later than the one before: gateways number anew, and not once more what is known. */
const ROUND_MS = 45_000
const HOUR = Math.floor(Date.now() / HOUR_MS) * HOUR_MS

/** The same broker, which lets everybody in, acknowledges at once and stores nothing. */
async function openBare({ deps, tenant }: BenchService): Promise<OpenBroker> {
  const broker: EmbeddedBroker = await makeEmbeddedBroker(deps.log)
  await broker.serve({
    login: async ({ username = '' }) => ({ tenantId: tenant.id, tenantUid: tenant.uid, gatewayId: username }),
    take: () => undefined,
    present() {
      // Nobody looks.
    },
    keepRetained: async () => {},
    readRetained: async () => [],
  })
  return { port: await broker.listen('127.0.0.1', 0), close: () => broker.close() }
}

async function checkStored({ deps }: BenchService): Promise<void> {
  const { rows } = await deps.database.pool.query<{ count: string }>('select count(*) from measurement')
  if (Number(rows[0]?.count) !== MESSAGES)
    throw new Error(`${rows[0]?.count} of ${MESSAGES} samples are stored`)
}

async function measure(service: BenchService, publisher: Worker): Promise<Figure[]> {
  const gateways: BenchGateway[] = []
  for (let index = 0; index < GATEWAYS; index++)
    gateways.push(await makeGateway(service, `gateway ${index}`, DEVICES_PER_GATEWAY))
  await ensurePartitions(service.deps.database, 'measurement', [periodOf(HOUR)])
  const [ours, bare] = [await openGateways(service), await openBare(service)]
  const publish = async (port: number, round: number): Promise<number> => {
    const order: PublishOrder = {
      port,
      gateways,
      messages: MESSAGES / GATEWAYS,
      window: WINDOW / GATEWAYS,
      startAt: HOUR + START_MS + round * ROUND_MS,
      stepMs: STEP_MS,
      bytes: BYTES,
    }
    return (await publisher.ask<{ tookMs: number }>(order)).tookMs
  }
  const took: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
  for (let round = 0; round <= ROUNDS; round++) {
    const bareMs = await publish(bare.port, round)
    await service.deps.database.pool.query('truncate measurement, rollup_mark')
    const oursMs = await publish(ours.port, round)
    await checkStored(service)
    if (round === 0) continue
    took.ours.push(oursMs)
    took.bare.push(bareMs)
  }
  await ours.close()
  await bare.close()
  const rate = (tookMs: readonly number[]): number => (MESSAGES / median(tookMs)) * 1000
  const perSecond = (tookMs: readonly number[]): string => `${(rate(tookMs) / 1000).toFixed(1)} k messages/s`
  return [
    {
      name: 'MQTT QoS 1, published to committed and acknowledged (the same broker, storing nothing)',
      measured: perSecond(took.ours),
      against: perSecond(took.bare),
      ratio: rate(took.ours) / rate(took.bare),
      aim: '>= 0.6',
    },
  ]
}

/** 1 KB of JSON with twelve values a message, 20 gateways with 2,000 messages under way together. */
export const mqttBench: Bench = {
  name: 'mqtt',
  async run() {
    const service = await openService(HOUR + HOUR_MS - 1)
    const publisher = startWorker('./mqtt-publisher.ts')
    try {
      return await measure(service, publisher)
    } finally {
      await publisher.end()
      await service.stop()
    }
  },
}
