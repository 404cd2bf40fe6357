import { HOUR_MS, periodOf } from '../../src/kernel/time.ts'
import { ensurePartitions } from '../../src/platform/db/partitions.ts'
import type { BrokerHooks, EmbeddedBroker } from '../../src/platform/mqtt/broker-hooks.ts'
import { makeEmbeddedBroker } from '../../src/platform/mqtt/embedded-broker.ts'
import { sized } from '../support/effort.ts'
import { type BenchGateway, makeGateway, type OpenBroker, openGateways } from '../support/gateways.ts'
import type { PublishTask } from '../support/mqtt-publisher.ts'
import { type BenchService, openService } from '../support/service.ts'
import { type Bench, type Figure, median } from '../support/types.ts'
import { startWorker, type Worker } from '../support/worker.ts'

const GATEWAYS = 20
const DEVICES_PER_GATEWAY = 5
const WINDOW = 2_000
const MESSAGES = sized(60_000, 20_000)
const BYTES = 1_000
const ROUNDS = sized(5, 3)
/** Rounds that are not measured: until then the compiler of V8 takes a part of the second core. */
const WARM_UP_ROUNDS = 3
const STEP_MS = 10
/** In the running hour, and live: samples older than ten minutes use the backfill path. */
const START_MS = HOUR_MS - 6 * 60_000
/**
 * Each round starts later than the previous one: its sequence numbers restart, and its messages must not
 * count as duplicates.
 */
const ROUND_MS = 45_000
const HOUR = Math.floor(Date.now() / HOUR_MS) * HOUR_MS

/** The same broker, which accepts every login and stores nothing. */
async function openBare({ deps, tenant }: BenchService, take: BrokerHooks['take']): Promise<OpenBroker> {
  const broker: EmbeddedBroker = await makeEmbeddedBroker(deps.log)
  await broker.serve({
    login: async ({ username = '' }) => ({ tenantId: tenant.id, tenantUid: tenant.uid, gatewayId: username }),
    take,
    present() {
      // The readiness is not read.
    },
    keepRetained: async () => {},
    readRetained: async () => [],
  })
  return { port: await broker.listen({ host: '127.0.0.1', port: 0 }), close: () => broker.close() }
}

async function checkStored({ deps }: BenchService): Promise<void> {
  const { rows } = await deps.database.pool.query<{ count: string }>('select count(*) from measurement')
  if (Number(rows[0]?.count) !== MESSAGES)
    throw new Error(`${rows[0]?.count} of ${MESSAGES} samples are stored`)
}

/** Of a round: milliseconds, and microseconds of processor time of this process. */
interface Round {
  readonly tookMs: number
  readonly busyMs: number
}

async function measure(service: BenchService, publisher: Worker): Promise<Figure[]> {
  const gateways: BenchGateway[] = []
  for (let index = 0; index < GATEWAYS; index++)
    gateways.push(await makeGateway(service, `gateway ${index}`, DEVICES_PER_GATEWAY))
  await ensurePartitions(service.deps.database, 'measurement', [periodOf(HOUR)])
  const ours = await openGateways(service)
  const bare = await openBare(service, () => undefined)
  // A delayed acknowledgement, however short the delay, is sent together with others, as after a commit.
  const together = await openBare(service, () => Promise.resolve())
  const publish = async (port: number, round: number): Promise<Round> => {
    const task: PublishTask = {
      port,
      gateways,
      messages: MESSAGES / GATEWAYS,
      window: WINDOW / GATEWAYS,
      startAt: HOUR + START_MS + round * ROUND_MS,
      stepMs: STEP_MS,
      bytes: BYTES,
    }
    const before = process.cpuUsage()
    const { tookMs } = await publisher.ask<{ tookMs: number }>(task)
    const { user, system } = process.cpuUsage(before)
    return { tookMs, busyMs: (user + system) / 1000 }
  }
  const rounds: { ours: Round[]; bare: Round[]; together: Round[] } = { ours: [], bare: [], together: [] }
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    const bareRound = await publish(bare.port, round)
    const togetherRound = await publish(together.port, round)
    await service.deps.database.owner.pool.query('truncate measurement, rollup_dirty_range')
    const oursRound = await publish(ours.port, round)
    await checkStored(service)
    if (round < WARM_UP_ROUNDS) continue
    rounds.ours.push(oursRound)
    rounds.bare.push(bareRound)
    rounds.together.push(togetherRound)
  }
  for (const broker of [ours, bare, together]) await broker.close()
  return figuresOf(rounds)
}

function figuresOf({ ours, bare, together }: Record<'ours' | 'bare' | 'together', Round[]>): Figure[] {
  const rate = (rounds: Round[]): number => MESSAGES / median(rounds.map(({ tookMs }) => tookMs))
  const perSecond = (rounds: Round[]): string => `${rate(rounds).toFixed(1)} k messages/s`
  const busyUs = (rounds: Round[]): number => (median(rounds.map(({ busyMs }) => busyMs)) / MESSAGES) * 1000
  const shown = (rounds: Round[]): string => `${busyUs(rounds).toFixed(1)} µs`
  const against = (name: string, limit: Round[], aim: string): Figure => ({
    name,
    measured: perSecond(ours),
    against: perSecond(limit),
    ratio: rate(ours) / rate(limit),
    aim,
  })
  const measured = {
    measured: shown(ours),
    against: shown(bare),
    ratio: busyUs(ours) / busyUs(bare),
    aim: '',
  }
  return [
    against(
      'MQTT QoS 1, publish to commit and acknowledgement (same broker without storage)',
      bare,
      '>= 0.7',
    ),
    against(
      'MQTT QoS 1, publish to commit and acknowledgement (same broker without storage, batched acknowledgements)',
      together,
      '',
    ),
    {
      name: 'MQTT QoS 1, processor time of the process per message (same broker without storage)',
      ...measured,
    },
  ]
}

/** 1 KB of JSON with twelve values a message, 20 gateways with 2,000 unacknowledged messages in total. */
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
