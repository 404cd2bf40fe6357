/**
 * Delivery of notifications about incidents, by e-mail and webhook.
 *
 * Purpose. Every event of an incident reaches everyone who wants it, in order and at least once, although the
 * process may be killed at any moment and mail servers and webhooks are slow or unreachable.
 *
 * Stages:
 * - Outbox. An event is written in the transaction that changes the incident, with `is_notified` false. outbox.ts
 *   turns such events into rows of `notification` and marks them in the same transaction. No writer can
 *   forget it: false is the column's default.
 * - Delivery. Each recipient (the mail of a user, or a webhook) has a cursor, a row of `notification_cursor`,
 *   with the sequence number up to which it has everything (`done_through`) and the time of its next delivery
 *   (`due_at`). A storm therefore costs the same however many recipients there are; a row for each recipient
 *   and notification would not.
 *
 * Order. The outbox is processed under an advisory lock of the tenant, so sequence numbers grow with the
 * commits: a cursor that has reached a number has missed nothing before it. A batch that fails is retried;
 * nothing is sent past it.
 *
 * At least once. batches.ts records a batch (id and last number) before it is sent, under a lease of
 * SENDING_LEASE_MS. A process that dies in between leaves the lease to expire, and the same batch is sent
 * again under the same id (Message-ID, webhook-id). Exactly once does not exist between two parties;
 * receivers deduplicate by these ids.
 *
 * Modes. A mail holds everything that is pending for its user, at most one a minute; quiet hours delay it
 * unless something is critical. A webhook gets up to WEBHOOK_EVENTS_MAX events a delivery, with exponential
 * back-off, and is disabled after WEBHOOK_FAILURES_MAX failures in a row or a 410.
 *
 * Concurrency. Processes with the role jobs share the work by row locks that they skip. In a process at most
 * SENDING_AT_ONCE batches of a channel are in flight, so that receivers that hang do not stop the outbox or
 * the other channel.
 *
 * See docs/understand/incidents.md and ADR 0034.
 */
import { systemDb } from '../../../../platform/db/tenant.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { NOTIFIER_POLL_MS, SENDING_AT_ONCE } from '../limits.ts'
import { claimBatch, settleBatch } from './batches.ts'
import { type Channel, hasDueCursor } from './delivery-store.ts'
import { metricsOf } from './metrics.ts'
import { processOutbox } from './outbox.ts'
import { sendBatch } from './send.ts'

type NotifierDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'log' | 'mail' | 'metrics'>

export interface Notifier {
  /** Does everything that is due now and resolves when it is done. */
  work(): Promise<void>
  /** Polls until stop(). */
  start(): void
  /** Warnings for operators: e-mails cannot be sent. */
  warnings(): readonly string[]
  /**
   * Aborts what is in flight and waits for it. Batches without a result are sent again when their lease
   * expires.
   */
  stop(): Promise<void>
}

export interface NotifierOptions {
  /** Timeout of a webhook call; WEBHOOK_TIMEOUT_MS when absent. */
  readonly callTimeoutMs?: number
}

const CHANNELS: readonly Channel[] = ['email', 'webhook']

/**
 * Processes the outbox and sends due batches, in a process with the role jobs.
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
   * Sends until nothing is due or all slots of the channel are taken. A receiver that hangs occupies one
   * slot.
   */
  const sendAll = async (channel: Channel): Promise<void> => {
    while (!isStopped() && running[channel].size < SENDING_AT_ONCE) {
      const batch = await claimBatch(deps, channel)
      if (!batch) return
      const sending = sendBatch(deps, batch, { signal: abort.signal, timeoutMs: callTimeoutMs })
        .then(async (result) => {
          if (channel === 'email') mailError = result.ok ? undefined : result.error
          // Aborted by stop(): not a failure. The batch is sent again when its lease expires.
          if (!result.ok && isStopped()) return
          counts[result.ok ? 'sent' : 'failed'].inc({ channel })
          if (!result.ok)
            log.warn({ channel, reason: result.error.slice(0, 200) }, 'notifications could not be sent')
          await settleBatch(deps, batch, result)
        })
        .catch((error: Error) => log.error({ channel, reason: error.message }, 'a sending was not noted'))
        .finally(() => {
          running[channel].delete(sending)
          // A slot is free, and the recipient may have more to send.
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
