import { systemDb } from '../../../../platform/db/tenant.ts'
import type { Deps } from '../../../../platform/deps.ts'
import { NOTIFIER_POLL_MS, SENDING_AT_ONCE } from '../limits.ts'
import { claimBatch, settleBatch } from './batches.ts'
import { type Channel, hasDueCursor } from './delivery-store.ts'
import { metricsOf } from './metrics.ts'
import { processOutbox } from './outbox.ts'
import { sendBatch } from './send.ts'

type NotifierDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'log' | 'mail' | 'metrics'>

export interface Notifier {
  /** Everything that is to be done at this moment, to its end. */
  work(): Promise<void>
  /** Does it again and again until the stop. */
  start(): void
  /** What an operator should know: that mails do not get out. */
  warnings(): readonly string[]
  /** What is on its way may end; what does not end in time is sent again by whoever comes next. */
  stop(): Promise<void>
}

export interface NotifierOptions {
  /** How long a webhook may take; WEBHOOK_TIMEOUT_MS when absent. */
  readonly callTimeoutMs?: number
}

const CHANNELS: readonly Channel[] = ['email', 'webhook']

/**
 * Tells incidents to people and their systems: the work of a process with the role jobs; of several each does
 * a part.
 */
export function makeNotifier(deps: NotifierDeps, { callTimeoutMs }: NotifierOptions = {}): Notifier {
  const { log } = deps
  const counts = metricsOf(deps)
  const abort = new AbortController()
  const running: Record<Channel, Set<Promise<void>>> = { email: new Set(), webhook: new Set() }
  let timer: NodeJS.Timeout | undefined
  let polling = Promise.resolve()
  let mailError: string | undefined
  const isStopped = () => abort.signal.aborted
  const inFlight = () => CHANNELS.flatMap((channel) => [...running[channel]])

  /**
   * Until nothing is due: one that hangs takes one of the places of its channel, and keeps nobody from
   * telling.
   */
  const sendAll = async (channel: Channel): Promise<void> => {
    while (!isStopped() && running[channel].size < SENDING_AT_ONCE) {
      const batch = await claimBatch(deps, channel)
      if (!batch) return
      const sending = sendBatch(deps, batch, { signal: abort.signal, timeoutMs: callTimeoutMs })
        .then(async (result) => {
          if (channel === 'email') mailError = result.ok ? undefined : result.error
          // Cut off by our own stop: it was no failure, and it goes out again when its lease is over.
          if (!result.ok && isStopped()) return
          counts[result.ok ? 'sent' : 'failed'].inc({ channel })
          if (!result.ok)
            log.warn({ channel, reason: result.error.slice(0, 200) }, 'notifications could not be sent')
          await settleBatch(deps, batch, result)
        })
        .catch((error: Error) => log.error({ channel, reason: error.message }, 'a sending was not noted'))
        .finally(() => {
          running[channel].delete(sending)
          // There is room now, and it may have more to send.
          if (!isStopped()) void pollNext()
        })
      running[channel].add(sending)
    }
  }

  const poll = async (): Promise<void> => {
    await processOutbox(deps, isStopped)
    for (const channel of CHANNELS) await sendAll(channel)
  }

  const pollNext = (): Promise<void> => {
    polling = polling.then(poll).catch((error: Error) => {
      log.warn({ reason: error.message }, 'notifications could not be looked for')
    })
    return polling
  }

  return {
    async work() {
      do {
        await pollNext()
        while (inFlight().length > 0) {
          await Promise.all(inFlight())
          await polling
        }
      } while (
        !isStopped() &&
        (await hasDueCursor(systemDb(deps.database.kysely), new Date(deps.clock.now())))
      )
    },
    start() {
      const schedulePoll = () => {
        if (!isStopped())
          timer = setTimeout(() => void pollNext().then(schedulePoll), NOTIFIER_POLL_MS).unref()
      }
      void pollNext().then(schedulePoll)
    },
    warnings: () => (mailError === undefined ? [] : ['e-mails about alarms cannot be sent; see the log']),
    async stop() {
      abort.abort(new Error('the service stops'))
      clearTimeout(timer)
      await polling
      await Promise.all(inFlight())
    },
  }
}
