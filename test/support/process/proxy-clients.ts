import { randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectGateway, telemetry } from '../field/mqtt.ts'
import type { LoadGateway } from '../field/mqtt-load.ts'
import { connectStation, type TestCharger, type TestStation } from '../field/ocpp.ts'
import type { Json } from '../json.ts'
import { joinLive, type LiveClient } from '../metering/live.ts'
import { isAcknowledged, type SentBatch, send, type Target } from '../metering/sample-load.ts'

const PAUSE_MS = 50

const instantOf = (timestamp: string): string => new Date(timestamp).toISOString()

/** What is done to the processes, and what the clients have seen meanwhile. */
interface Course {
  /** `undisturbed`, or the process that is ended and how: `api1 SIGTERM`. */
  phase: string
  isOver: boolean
  /** Each thing that was counted, with the number of times in each phase. */
  readonly counts: Map<string, Map<string, number>>
}

export const makeCourse = (): Course => ({ phase: 'undisturbed', isOver: false, counts: new Map() })

function count({ counts, phase }: Course, name: string): void {
  const byPhase = counts.get(name) ?? new Map<string, number>()
  counts.set(name, byPhase.set(phase, (byPhase.get(phase) ?? 0) + 1))
}

/** How often something happened in the phases that contain a word. */
export const counted = ({ counts }: Course, name: string, phase = ''): number =>
  [...(counts.get(name) ?? [])].reduce((sum, [key, times]) => sum + (key.includes(phase) ? times : 0), 0)

/** Steps that no other writer of the same course sends. */
export function makeSteps() {
  let next = 0
  return (count: number) => {
    const from = next
    next += count
    return { from, count }
  }
}

interface Writing {
  /** For the counts. */
  readonly name: string
  readonly steps: ReturnType<typeof makeSteps>
  readonly stepsOfBatch: number
  readonly pauseMs?: number
}

/** Sends samples over HTTP; repeats a batch until it is acknowledged. Returns every attempt. */
export async function write(course: Course, target: Target, writing: Writing): Promise<SentBatch[]> {
  const { name, steps, stepsOfBatch, pauseMs = PAUSE_MS } = writing
  const sent: SentBatch[] = []
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  while (!course.isOver) {
    const batch = steps(stepsOfBatch)
    for (let isDone = false; !isDone; ) {
      const result = { ...batch, outcome: await send(target, batch, agent) }
      sent.push(result)
      isDone = isAcknowledged(result)
      count(course, isDone ? name : `${name} without an answer`)
      await sleep(pauseMs)
    }
  }
  agent.destroy()
  return sent
}

export async function read(course: Course, { url, token }: Target, name: string): Promise<void> {
  while (!course.isOver) {
    const headers = { authorization: `Bearer ${token}` }
    const isAnswered = await fetch(`${url}/api/devices?limit=5`, { headers }).then(
      async (response) => response.ok && (await response.json()) !== undefined,
      () => false,
    )
    count(course, isAnswered ? name : `${name} without an answer`)
    await sleep(2 * PAUSE_MS)
  }
}

/** The answers to a repeated request whose first attempt died with its process. */
const KEY_ANSWERS = ['IDEMPOTENCY_KEY_IN_USE', 'IDEMPOTENCY_OUTCOME_UNKNOWN']

/** Creates records with an Idempotency-Key each. Returns the names of those that were answered with 201. */
export async function create(course: Course, { url, token }: Target): Promise<string[]> {
  const created: string[] = []
  for (let number = 0; !course.isOver; number += 1) {
    const name = `supplier ${number}`
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    }
    const body = JSON.stringify({ org_type: 'supplier', name })
    const path = `${url}/api/mahsuplasma/organizations`
    const answer = await fetch(path, { method: 'POST', headers, body }).then(
      async (response) => ({ status: response.status, body: (await response.json()) as Json }),
      () => undefined,
    )
    if (answer?.status === 201) created.push(name)
    if (answer?.status === 201) count(course, 'creations')
    else if (KEY_ANSWERS.includes(answer?.body.code)) count(course, 'creations with an unknown outcome')
    else count(course, 'creations without an answer')
    await sleep(4 * PAUSE_MS)
  }
  return created
}

/**
 * Publishes samples of the present, one after the other; the client connects again by itself and repeats what was
 * not acknowledged. Returns the instants of the acknowledged ones.
 */
export async function publish(course: Course, port: number, gateway: LoadGateway): Promise<string[]> {
  const acknowledged: string[] = []
  const options = { reconnectPeriod: 200, clean: false, clientId: 'behind-the-proxy' }
  const client = await connectGateway(port, gateway, options)
  client.on('close', () => {
    if (!course.isOver) count(course, 'MQTT connections ended')
  })
  while (!course.isOver) {
    const ts = Date.now()
    const message = telemetry(gateway.presentId, [{ ts, v: { voltage: 231 } }])
    await client.publishAsync('telemetry', message, { qos: 1 })
    acknowledged.push(new Date(ts).toISOString())
    count(course, 'MQTT messages')
    await sleep(2 * PAUSE_MS)
  }
  await client.endAsync()
  return acknowledged
}

/**
 * A charging session whose register rises by 1 Wh with each message. The station connects again by itself and repeats
 * what was not answered. Returns the register at the end.
 */
export async function charge(course: Course, target: Target, charger: TestCharger): Promise<number> {
  let station: TestStation | undefined
  const connect = async (): Promise<TestStation> => {
    const connected = await connectStation(target, charger)
    station = connected
    connected.client.once('close', () => {
      if (station === connected) station = undefined
      if (!course.isOver) count(course, 'OCPP connections ended')
    })
    return connected
  }
  const call = async (action: string, payload: object): Promise<Json> => {
    for (;;) {
      const connected = station ?? (await connect().catch(() => undefined))
      const answer = await connected?.call(action, payload).catch(() => undefined)
      if (answer) return answer
      count(course, connected ? 'OCPP calls repeated' : 'OCPP connections refused')
      await sleep(4 * PAUSE_MS)
    }
  }
  const now = () => new Date().toISOString()
  await call('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })
  const start = { connectorId: 1, idTag: 'PROXY', meterStart: 0, timestamp: now() }
  const { transactionId } = await call('StartTransaction', start)
  let register = 0
  while (!course.isOver) {
    register += 1
    const sampledValue = [{ value: `${register}`, measurand: 'Energy.Active.Import.Register', unit: 'Wh' }]
    const meterValue = [{ timestamp: now(), sampledValue }]
    await call('MeterValues', { connectorId: 1, transactionId, meterValue })
    count(course, 'OCPP messages')
    await sleep(2 * PAUSE_MS)
  }
  await call('StopTransaction', { transactionId, meterStop: register, timestamp: now() })
  await station?.end()
  return register
}

interface Watching {
  /** The instants of the samples so far. */
  readonly seen: ReadonlySet<string>
  end(): Promise<void>
}

/**
 * Live values of a device. After each end of the socket it is opened again from the newest sample on, as
 * docs/integrate/live.md describes.
 */
export function watch(course: Course, { url, token }: Target, deviceId: string): Watching {
  const seen = new Set<string>()
  let isOver = false
  const show = (live: LiveClient): void => {
    for (const { timestamp } of live.samples()) seen.add(instantOf(timestamp))
  }
  async function follow(live: LiveClient): Promise<void> {
    const isOpen = () => live.socket.readyState === live.socket.OPEN
    while (isOpen() && !isOver) {
      show(live)
      await sleep(PAUSE_MS)
    }
    if (!isOpen()) count(course, `live sockets ended with ${(await live.closed()).code}`)
    show(live)
    await live.end()
  }
  async function run(): Promise<void> {
    let since = new Date().toISOString()
    while (!isOver) {
      const live = await joinLive(url, { token, devices: [deviceId], since }).catch(() => undefined)
      if (live) await follow(live)
      else {
        count(course, 'live sockets refused')
        await sleep(4 * PAUSE_MS)
      }
      since = [...seen].sort().at(-1) ?? since
    }
  }
  const running = run()
  running.catch(() => {})
  return {
    seen,
    async end() {
      isOver = true
      await running
    },
  }
}

/** The samples of a device that a new live socket sends from an instant on, before any live value. */
export async function askAgain(
  { url, token }: Target,
  deviceId: string,
  since: string,
): Promise<Set<string>> {
  const live = await joinLive(url, { token, devices: [deviceId], since })
  await live.find(({ type }) => type === 'gap_filled')
  await live.end()
  return new Set(live.samples().map(({ timestamp }) => instantOf(timestamp)))
}
