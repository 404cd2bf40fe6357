/**
 * Charging stations in a separate process, in fleets of one server each. `open` connects stations, and adds
 * them to a fleet; `storm` closes a fleet all at once and reconnects it. Both respond when the last one is
 * connected. `pace` lets each send a heartbeat and a meter value in every period; `loop` lets each send meter
 * values, the next after the response to the last.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type BenchStation, type Link, openLink } from './station-link.ts'

export type StationsTask =
  | {
      readonly kind: 'open'
      readonly fleet: string
      readonly port: number
      readonly stations: readonly BenchStation[]
    }
  | { readonly kind: 'storm'; readonly fleet: string }
  | { readonly kind: 'pace'; readonly fleet: string; readonly seconds: number; readonly periodMs: number }
  | { readonly kind: 'loop'; readonly fleet: string; readonly seconds: number }

export interface Entered {
  readonly tookMs: number
  /** The number of rejected connections, by HTTP status; 0: the connection broke. */
  readonly refused: Readonly<Record<number, number>>
}

export interface Paced {
  /** Milliseconds from the request to the response. */
  readonly heartbeats: readonly number[]
  readonly meterValues: readonly number[]
}

export interface Looped {
  readonly messages: number
  readonly tookMs: number
}

const TICK_MS = 5
const AGAIN_MAX_MS = 1_000

class Station {
  link: Link | undefined
  /** The pending message, by the beginning of its response. */
  readonly #waiting = new Map<string, (answeredAt: number) => void>()
  #sent = 0
  #sampleTime = 0

  take(text: string): void {
    const id = /^\[3,"(\d+)"/.exec(text)?.[1]
    const answered = id === undefined ? undefined : this.#waiting.get(id)
    if (id === undefined || !answered) throw new Error(`a station received ${text}`)
    this.#waiting.delete(id)
    answered(performance.now())
  }

  heartbeat(): Promise<number> {
    return this.#call('Heartbeat', '{}')
  }

  meterValues(): Promise<number> {
    this.#sampleTime = Math.max(Date.now(), this.#sampleTime + 1)
    return this.#call('MeterValues', meterValues(this.#sampleTime, this.#sent))
  }

  /** Milliseconds until the response. */
  #call(action: string, payload: string): Promise<number> {
    this.#sent += 1
    const id = String(this.#sent)
    return new Promise((resolve) => {
      const sentAt = performance.now()
      this.#waiting.set(id, (answeredAt) => resolve(answeredAt - sentAt))
      this.link?.send(`[2,"${id}","${action}",${payload}]`)
    })
  }
}

/**
 * The measurements of a charging station in a session: register, power, current, voltage and state of charge.
 */
function meterValues(at: number, step: number): string {
  const value = (measurand: string, unit: string, text: string, phase?: string) => ({
    ...{ value: text, context: 'Sample.Periodic', measurand, unit, location: 'Outlet' },
    ...(phase && { phase }),
  })
  const phases = ['L1', 'L2', 'L3']
  return JSON.stringify({
    connectorId: 1,
    transactionId: 1,
    meterValue: [
      {
        timestamp: new Date(at).toISOString(),
        sampledValue: [
          value('Energy.Active.Import.Register', 'Wh', String(100_000 + step * 30)),
          value('Power.Active.Import', 'W', (11_000 + (step % 50)).toFixed(1)),
          ...phases.map((phase) => value('Current.Import', 'A', (16 + (step % 7) / 10).toFixed(1), phase)),
          ...phases.map((phase) => value('Voltage', 'V', (230 + (step % 9) / 10).toFixed(1), `${phase}-N`)),
          { ...value('SoC', 'Percent', String(20 + (step % 80))), location: 'EV' },
        ],
      },
    ],
  })
}

type Member = readonly [Station, BenchStation]
interface Fleet {
  readonly port: number
  readonly members: readonly Member[]
}
const fleets = new Map<string, Fleet>()

function fleetOf(name: string): Fleet {
  const fleet = fleets.get(name)
  if (!fleet) throw new Error(`there is no fleet ${name}`)
  return fleet
}

/** All at once; a rejected station retries within a second. */
async function enter({ port, members }: Fleet): Promise<Entered> {
  const refused: Record<number, number> = {}
  const begun = performance.now()
  await Promise.all(
    members.map(async ([station, login]) => {
      for (;;) {
        const opened = await openLink({
          port,
          station: login,
          onText: (text) => station.take(text),
          onLost() {
            throw new Error(`${login.cpid} lost its connection`)
          },
        })
        if ('link' in opened) {
          station.link = opened.link
          return
        }
        refused[opened.status] = (refused[opened.status] ?? 0) + 1
        await sleep(Math.random() * AGAIN_MAX_MS)
      }
    }),
  )
  return { tookMs: performance.now() - begun, refused }
}

async function storm(fleet: Fleet): Promise<Entered> {
  for (const [station] of fleet.members) station.link?.cut()
  return enter(fleet)
}

/**
 * Spread evenly over the period: heartbeats and meter values alternate, those of one station half a period
 * apart.
 */
async function pace({ members }: Fleet, seconds: number, periodMs: number): Promise<Paced> {
  const calls: { heartbeats: Promise<number>[]; meterValues: Promise<number>[] } = {
    heartbeats: [],
    meterValues: [],
  }
  const at = (turn: number): Station => (members[turn % members.length] as Member)[0]
  const turnMs = periodMs / members.length
  const turns = (seconds * 1000) / turnMs
  const begun = performance.now()
  for (let turn = 0; turn < turns; ) {
    const due = Math.min(turns, Math.floor((performance.now() - begun) / turnMs))
    for (; turn < due; turn++) {
      calls.heartbeats.push(at(turn).heartbeat())
      calls.meterValues.push(at(turn + (members.length >> 1)).meterValues())
    }
    await sleep(TICK_MS)
  }
  return {
    heartbeats: await Promise.all(calls.heartbeats),
    meterValues: await Promise.all(calls.meterValues),
  }
}

async function loop({ members }: Fleet, seconds: number): Promise<Looped> {
  const begun = performance.now()
  const until = begun + seconds * 1000
  let messages = 0
  await Promise.all(
    members.map(async ([station]) => {
      while (performance.now() < until) {
        await station.meterValues()
        messages += 1
      }
    }),
  )
  return { messages, tookMs: performance.now() - begun }
}

function runTask(task: StationsTask): Promise<Entered | Paced | Looped> {
  if (task.kind === 'open') {
    const members = task.stations.map((login) => [new Station(), login] as const)
    const already = fleets.get(task.fleet)?.members ?? []
    fleets.set(task.fleet, { port: task.port, members: [...already, ...members] })
    return enter({ port: task.port, members })
  }
  const fleet = fleetOf(task.fleet)
  if (task.kind === 'storm') return storm(fleet)
  return task.kind === 'pace' ? pace(fleet, task.seconds, task.periodMs) : loop(fleet, task.seconds)
}

process.on('message', (task: StationsTask) => {
  runTask(task).then(
    (answer) => process.send?.(answer),
    (error: unknown) => {
      process.stderr.write(`${(error as Error).stack}\n`)
      process.exit(1)
    },
  )
})
process.once('disconnect', () => process.exit(0))
