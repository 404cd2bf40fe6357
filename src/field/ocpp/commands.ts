import { type CommandResult, openCommandQueue, type QueuedCommand } from '../../areas/charging/stations.ts'
import type { CommandAction } from '../../kernel/ocpp.ts'
import { makeCoalescer } from '../../platform/async/coalesce.ts'
import { OcppCallError, OcppClosed, OcppTimeout } from './errors.ts'
import { makeFirmwareReports } from './firmware.ts'
import { OCPP_TEXTS } from './messages.ts'
import type { StationSocket } from './station.ts'
import type { Stations } from './stations.ts'
import type { CommandEncoder, Encoders, OcppDeps } from './types.ts'
import { ENCODERS_16 } from './v16/index.ts'
import { ENCODERS_201 } from './v201/index.ts'

/**
 * The record of a command holds the request of its own action, as it was validated over HTTP, in a jsonb
 * column.
 */
const encoderOf = (
  { version }: StationSocket,
  action: CommandAction,
): CommandEncoder<unknown> | undefined => {
  const encoders: Encoders = version === '1.6' ? ENCODERS_16 : ENCODERS_201
  return encoders[action]
}

/** Sends a command and returns its result: the verdict on the station's response, or why there is none. */
async function sendCommand(station: StationSocket, command: QueuedCommand): Promise<CommandResult> {
  const encoder = encoderOf(station, command.action)
  const { cpid, version } = station
  if (!encoder)
    return {
      transition: 'fail',
      error: OCPP_TEXTS.OCPP_COMMAND_NOT_IN_VERSION({ version, action: command.action }),
    }
  try {
    const payload = encoder.encode(command.request, { cpid, version, commandNumber: command.number })
    const response = await station.call(encoder.action, payload)
    const isAccepted = encoder.verdict(response) === 'accepted'
    return { transition: isAccepted ? 'accept' : 'reject', response }
  } catch (error) {
    if (error instanceof OcppTimeout || error instanceof OcppClosed) {
      return { transition: 'time_out', error: error.content }
    }
    if (error instanceof OcppCallError) return { transition: 'fail', error: error.message }
    throw error
  }
}

interface StationWork {
  /** Set when another command arrived meanwhile. */
  again: boolean
  done: Promise<void>
}

export interface CommandSender {
  /** A station has connected: times out what older sockets left unanswered, and sends what waits. */
  onConnect(station: StationSocket): Promise<void>
  /** Sends what waits for those stations of this process that are named. */
  wake(chargers: readonly { readonly chargerId: string }[]): void
  /** Waits for the commands under way. */
  stop(): Promise<void>
}

/**
 * Sends the commands that wait for the stations of this process, one at a time per station: at once when they
 * were queued, and with the next poll of charging when that was not noticed. The records keep the order and guarantee
 * at most one delivery.
 */
export function startCommandSender(deps: OcppDeps, stations: Stations): CommandSender {
  const { bus, log } = deps
  const firmware = makeFirmwareReports(deps)
  const queue = openCommandQueue(deps)
  const busy = new Map<string, StationWork>()
  let isStopped = false

  async function sendAll(station: StationSocket): Promise<void> {
    const { tenantId } = station
    while (!isStopped && station.isOpen) {
      const command = await queue.dequeue(station)
      if (!command) return
      let outcome: CommandResult = { transition: 'fail', error: 'InternalError' }
      try {
        outcome = await sendCommand(station, command)
      } catch (error) {
        log.error({ err: error, action: command.action }, 'a command could not be encoded or sent')
      }
      await queue.finish({ tenantId, id: command.id }, outcome)
      await firmware.commandEnded(station, command)
    }
  }

  /** Starts the work of a station; one that is busy checks again when it is done. */
  function wake(station: StationSocket | undefined, before: () => Promise<void> = async () => {}): void {
    if (!station || isStopped) return
    const running = busy.get(station.connectionId)
    if (running) {
      running.again = true
      return
    }
    const work: StationWork = { again: false, done: Promise.resolve() }
    busy.set(station.connectionId, work)
    work.done = before()
      .then(() => sendAll(station))
      .catch((error: Error) => log.warn({ reason: error.message }, 'commands of a station wait'))
      .finally(() => {
        busy.delete(station.connectionId)
        if (work.again) wake(station)
      })
  }

  const stopListening = bus.on('charger_command', ({ chargerId }) => wake(stations.get(chargerId)))
  const findOpen = makeCoalescer((come: readonly StationSocket[]) => queue.filterChargersWithOpen(come))

  return {
    async onConnect(station) {
      try {
        const open = await findOpen([station])
        if (open.has(station.chargerId)) wake(station, () => queue.timeOutSent(station))
      } catch (error) {
        log.warn({ reason: (error as Error).message }, 'commands of a station wait')
      }
    },
    wake(chargers) {
      for (const { chargerId } of chargers) wake(stations.get(chargerId))
    },
    async stop() {
      isStopped = true
      stopListening()
      await Promise.all([...busy.values()].map(({ done }) => done))
    },
  }
}
