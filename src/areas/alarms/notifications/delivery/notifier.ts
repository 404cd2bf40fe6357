/**
 * Delivery of notifications about incidents, by e-mail and webhook.
 *
 * Purpose. Every event of an incident is delivered to every recipient whose settings select it, in order and
 * at least once, although the process may be killed at any moment and mail servers and webhooks are slow or
 * unreachable.
 *
 * Stages:
 * - Outbox. An event is written in the transaction that changes the incident, with `is_notified` false.
 *   outbox.ts turns such events into rows of `notification` and marks them in the same transaction. Since
 *   false is the column's default, no writer can omit it.
 * - Delivery. Each recipient (the mail of a user, a webhook, or a channel) has a cursor, a row of
 *   `notification_cursor`,
 *   with the sequence number up to which everything was delivered (`done_through`) and the time of its next
 *   delivery (`due_at`). The cost of writing a notification is therefore independent of the number of
 *   recipients. A row for each pair of recipient and notification would multiply it.
 *
 * Order. The outbox is processed under an advisory lock of the tenant, so sequence numbers grow with the
 * commits: a cursor that has reached a number has covered every notification before it. A failed batch is
 * retried, and later notifications wait for it.
 *
 * At least once. batches.ts records a batch (id and last number) before it is sent, under a lease of
 * SENDING_LEASE_MS. When a process dies in between, its lease expires, and the same batch is sent again under
 * the same id (Message-ID, webhook-id). Delivery exactly once is not possible between two systems, so
 * receivers deduplicate by these ids.
 *
 * Modes. A mail contains all pending notifications of its user and is sent at most once per MAIL_EVERY_MS;
 * quiet hours delay it unless one of them is critical. A webhook receives up to WEBHOOK_EVENTS_MAX events per
 * delivery, with exponential back-off, and is disabled after WEBHOOK_FAILURES_MAX failures in a row or a 410.
 * A channel receives messages like a mail, at most one per CHANNEL_EVERY_MS, and is disabled like a webhook, or
 * when its platform refuses a message for good (4xx).
 *
 * Concurrency. Processes with the role jobs share the work with `for update skip locked`. In a process at
 * most SENDING_AT_ONCE batches of a channel are in flight, so that receivers that hang do not stop the outbox
 * or the other channel.
 *
 * See docs/understand/incidents.md and ADR 0034.
 */
import { textOf } from '../../../../kernel/messages.ts'
import { systemDb } from '../../../../platform/db/tenant.ts'
import { type DuePoll, type PollResult, startDuePoll } from '../../../../platform/jobs/due-poll.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { claimEscalation, sendEscalation, settleEscalation } from '../escalation/delivery.ts'
import { runEscalations } from '../escalation/steps.ts'
import { NOTIFIER_POLL_MS, SENDING_AT_ONCE } from '../limits.ts'
import { claimBatch, type DeliveryResult, settleBatch } from './batches.ts'
import { type DueWork, LANES, type Lane, listDueWork, NOTIFICATION_WORK } from './due-store.ts'
import { metricsOf } from './metrics.ts'
import { processOutbox } from './outbox.ts'
import { type CallOptions, sendBatch } from './send.ts'

type NotifierDeps = Pick<
  Deps,
  'bus' | 'clock' | 'config' | 'database' | 'log' | 'mail' | 'metrics' | 'nodeReads' | 'ownEndpoints'
>

export interface Notifier {
  /** Processes everything that is due now; resolves when it is done. */
  work(): Promise<void>
  /** Starts polling until stop() is called. */
  start(): void
  /** Warnings for operators, for example that e-mails cannot be sent. */
  warnings(): readonly string[]
  /**
   * Aborts the batches in flight and waits for them to end. Batches without a result are sent again when
   * their lease expires.
   */
  stop(): Promise<void>
}

export interface NotifierOptions {
  /** Timeout of a webhook call; WEBHOOK_TIMEOUT_MS when absent. */
  readonly callTimeoutMs?: number
}

/** A claimed batch or the claimed messages of an escalation. */
interface Claimed {
  send(options: CallOptions): Promise<DeliveryResult>
  settle(result: DeliveryResult): Promise<void>
}

async function claimNext(
  deps: NotifierDeps,
  lane: Lane,
  tenantIds: readonly number[],
): Promise<Claimed | undefined> {
  if (lane === 'escalation') {
    const claim = await claimEscalation(deps, tenantIds)
    return (
      claim && {
        send: (options) => sendEscalation(deps, claim, options),
        settle: (result) => settleEscalation(deps, claim, result),
      }
    )
  }
  const batch = await claimBatch(deps, lane, tenantIds)
  return (
    batch && {
      send: (options) => sendBatch(deps, batch, options),
      settle: (result) => settleBatch(deps, batch, result),
    }
  )
}

const listDue = ({ database, clock }: NotifierDeps, aheadMs = 0): Promise<DueWork> =>
  listDueWork(systemDb(database.kysely), new Date(clock.now()), aheadMs)

const hasToSend = async (deps: NotifierDeps): Promise<boolean> => {
  const due = await listDue(deps)
  return LANES.some((lane) => due[lane].length > 0)
}

/**
 * Processes the outbox and the steps of escalations, and returns what is to be sent. Each of the two makes further work
 * due, so the list is read again after it.
 */
async function prepareDue(
  deps: NotifierDeps,
  isStopped: () => boolean,
  aheadMs: number,
): Promise<{ readonly due: DueWork; readonly isPrepared: boolean }> {
  let due = await listDue(deps, aheadMs)
  const isPrepared = due.events.length > 0 || due.steps.length > 0
  if (due.events.length > 0) {
    await processOutbox(deps, due.events, isStopped)
    due = await listDue(deps, aheadMs)
  }
  if (due.steps.length > 0) {
    await runEscalations(deps, due.steps, isStopped)
    due = await listDue(deps, aheadMs)
  }
  return { due, isPrepared }
}

/**
 * Processes the outbox and sends due batches, in a process with the role jobs.
 */
export function makeNotifier(deps: NotifierDeps, { callTimeoutMs }: NotifierOptions = {}): Notifier {
  const { log } = deps
  const counts = metricsOf(deps)
  const abort = new AbortController()
  const running: Record<Lane, Set<Promise<void>>> = {
    email: new Set(),
    webhook: new Set(),
    channel: new Set(),
    escalation: new Set(),
  }
  let duePoll: DuePoll | undefined
  let polling: Promise<PollResult | undefined> = Promise.resolve(undefined)
  let mailError: string | undefined
  const isStopped = () => abort.signal.aborted
  const inFlight = () => LANES.flatMap((channel) => [...running[channel]])

  /**
   * Sends until nothing of the tenants is due or all slots of the channel are taken. A receiver that hangs
   * occupies one slot.
   */
  const sendAll = async (channel: Lane, tenantIds: readonly number[]): Promise<void> => {
    while (!isStopped() && running[channel].size < SENDING_AT_ONCE) {
      const claimed = await claimNext(deps, channel, tenantIds)
      if (!claimed) return
      const sending = claimed
        .send({ signal: abort.signal, timeoutMs: callTimeoutMs })
        .then(async (result) => {
          if (channel === 'email') mailError = result.ok ? undefined : textOf(result.error)
          // An abort by stop() is no failure: the batch is sent again when its lease expires.
          if (!result.ok && isStopped()) return
          counts[result.ok ? 'sent' : 'failed'].inc({ channel })
          if (!result.ok)
            log.warn(
              { channel, reason: textOf(result.error).slice(0, 200) },
              'notifications could not be sent',
            )
          await claimed.settle(result)
        })
        .catch((error: Error) =>
          log.error(
            { channel, reason: error.message },
            'the result of a notification batch could not be recorded',
          ),
        )
        .finally(() => {
          running[channel].delete(sending)
          // A slot has become free, and the recipient may have further notifications.
          if (!isStopped()) void pollNext()
        })
      running[channel].add(sending)
    }
  }

  const poll = async (aheadMs: number): Promise<PollResult> => {
    const { due, isPrepared } = await prepareDue(deps, isStopped, aheadMs)
    for (const lane of LANES) await sendAll(lane, due[lane])
    return { hasWork: isPrepared || LANES.some((lane) => due[lane].length > 0), nextDueAt: due.nextDueAt }
  }

  const pollNext = (aheadMs = 0): Promise<PollResult | undefined> => {
    polling = polling
      .then(() => poll(aheadMs))
      .catch((error: Error) => {
        log.warn({ reason: error.message }, 'polling for notifications failed')
        return undefined
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
      } while (!isStopped() && (await hasToSend(deps)))
    },
    start() {
      const { kind } = NOTIFICATION_WORK
      duePoll = startDuePoll({ deps, kind, intervalMs: NOTIFIER_POLL_MS, poll: pollNext })
    },
    warnings: () => (mailError === undefined ? [] : ['e-mails about alarms cannot be sent; see the log']),
    async stop() {
      abort.abort(new Error('the service stops'))
      await duePoll?.stop()
      await polling
      await Promise.all(inFlight())
    },
  }
}
