import { type Message, textOf } from '../../../kernel/messages.ts'
import { type BillingPeriod, HOUR_MS, iso, type Range } from '../../../kernel/time.ts'
import { inSystemTx, systemDb } from '../../../platform/db/tenant.ts'
import type { JobContext } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { type AccountRow, findUsable } from './account-store.ts'
import { raiseMarketAlarms } from './alarms.ts'
import { openCredentials } from './credentials.ts'
import { PlatformFailure } from './failure.ts'
import { MARKET_CALL_TRIES, MARKET_PAUSE_MAX_MS, MARKET_UNPUBLISHED_DAYS_MAX } from './limits.ts'
import { MARKET_TEXTS, PLATFORM_TEXTS } from './messages.ts'
import { type DayRange, makePlatformClient, type PlatformClient } from './platform-client.ts'
import { countFinal, type Stored, storePrices } from './price-store.ts'
import { PTF_FINAL, PTF_TENTATIVE, type Series, SMF_FINAL } from './series.ts'
import { makeTicketCache } from './ticket-cache.ts'
import {
  dayAfter,
  dayRangeOf,
  type MarketMonth,
  mayStillChange,
  monthsBetween,
  monthsToKeep,
  smfDays,
  withoutLastDay,
} from './windows.ts'

/** `idle`: no account is usable, or the platform requested a pause. */
type PullStatus = 'pulled' | 'failed' | 'idle'
type PullContext = Pick<JobContext, 'signal' | 'partFailed'>
type Pull = (slot: number, context: PullContext) => Promise<PullStatus>

/** The pulls of the schedule. One instance caches its tickets and its status between slots. */
export interface MarketPulls {
  /** Pulls tomorrow's day-ahead prices before they are final. */
  readonly tentative: Pull
  /**
   * Pulls final prices of today and tomorrow, and system marginal prices up to four hours ago. Days that are
   * already complete are not requested.
   */
  readonly final: Pull
  /**
   * Pulls the missing prices of the last twelve months and the current one, and checks months that may have
   * been corrected.
   */
  readonly backfill: Pull
  /** Pulls all prices of the given months, including stored ones. It is a command for operators. */
  months(first: BillingPeriod, last: BillingPeriod): Pull
  /**
   * Lines for the readiness check: the reason why nothing is pulled, and the progress of the first backfill.
   */
  statusLines(): readonly string[]
  /** Updates the status lines before the first slot when no account is usable. */
  checkAccount(): Promise<void>
}

const FINAL_OF = { ptf: PTF_FINAL, smf: SMF_FINAL } as const

const NO_ACCOUNT = PLATFORM_TEXTS.PLATFORM_NO_ACCOUNT()

/** `onStatus` receives every status line when it changes. */
export function makeMarketPulls(deps: Deps, onStatus: (line: string) => void = () => {}): MarketPulls {
  const { withPlatform, ...status } = makePullState(deps, onStatus)
  return {
    ...status,
    tentative: (slot, context) =>
      withPlatform(context, async (fetching) => {
        await fetchPrices(fetching, PTF_TENTATIVE, dayAfter(slot))
      }),
    final: (slot, context) =>
      withPlatform(context, async (fetching) => {
        const { from, to } = dayAfter(slot)
        const days = [
          { series: PTF_FINAL, range: { from: from - 24 * HOUR_MS, to: from } },
          { series: PTF_FINAL, range: { from, to } },
          ...smfDays(slot).map((range) => ({ series: SMF_FINAL, range })),
        ]
        for (const { series, range } of days)
          if (!(await isWhole(deps, series, range))) await fetchPrices(fetching, series, range)
        await fill(
          fetching,
          monthsToKeep(slot),
          async ({ market, range }) => (await countOf(deps, FINAL_OF[market], range)) === 0,
        )
      }),
    backfill: (slot, context) =>
      withPlatform(context, (fetching) =>
        fill(
          fetching,
          monthsToKeep(slot),
          async ({ market, period, range }) =>
            mayStillChange(period, slot) || !(await isWhole(deps, FINAL_OF[market], range)),
        ),
      ),
    months: (first, last) => (slot, context) =>
      withPlatform(context, (fetching) => fill(fetching, monthsBetween(first, last, slot), async () => true)),
  }
}

/** The state that persists between pulls. */
function makePullState(deps: Deps, onStatus: (line: string) => void) {
  const { config, clock, database, log } = deps
  const tickets = makeTicketCache()
  let lines: readonly string[] = []
  let isWithoutAccount = false
  let notBefore = 0
  const report = (...notes: readonly string[]): void => {
    lines = notes
    for (const line of notes) onStatus(line)
  }

  async function findAccount(): Promise<AccountRow | undefined> {
    const account = config.marketopEnabled ? await findUsable(systemDb(database.kysely)) : undefined
    const wasWithout = isWithoutAccount
    isWithoutAccount = config.marketopEnabled && !account
    if (isWithoutAccount && !wasWithout) report(`market prices are not pulled: ${textOf(NO_ACCOUNT)}`)
    else if (wasWithout && !isWithoutAccount) report()
    return account
  }
  async function idle(reason: Message): Promise<PullStatus> {
    log.info({ reason: textOf(reason) }, 'market prices are not pulled')
    await raiseMarketAlarms(deps, { is: 'idle', reason: MARKET_TEXTS.END_PRICES_NOT_PULLED({ reason }) })
    return 'idle'
  }
  async function fail(failure: PlatformFailure, account: AccountRow): Promise<PullStatus> {
    const { kind, step, message: reason } = failure
    log.warn({ account: account.id, kind, step, reason }, 'market prices could not be pulled')
    report(`market prices could not be pulled at ${iso(clock.now())}: ${reason}`)
    if (failure.notBefore !== undefined)
      notBefore = Math.min(failure.notBefore, clock.now() + MARKET_PAUSE_MAX_MS)
    await raiseMarketAlarms(deps, { is: 'failed', failure, account })
    return 'failed'
  }

  /**
   * Runs work with a usable account and records the outcome. A failure of the platform does not fail the job.
   */
  async function withPlatform(
    { signal, partFailed }: PullContext,
    work: (fetching: Fetching) => Promise<void>,
  ): Promise<PullStatus> {
    const account = await findAccount()
    if (!account) return idle(config.marketopEnabled ? NO_ACCOUNT : PLATFORM_TEXTS.PLATFORM_DISABLED())
    if (clock.now() < notBefore) {
      report(`market prices are not pulled before ${iso(notBefore)}: the platform asked to wait until then`)
      partFailed()
      return 'idle'
    }
    try {
      const credentials = openCredentials(account, config)
      const options = { config, clock, tickets, credentials, tries: MARKET_CALL_TRIES, signal }
      await work({ deps, client: makePlatformClient(options), signal, report })
      report()
      await raiseMarketAlarms(deps, { is: 'pulled' })
      return 'pulled'
    } catch (failure) {
      if (!(failure instanceof PlatformFailure)) throw failure
      partFailed()
      return await fail(failure, account)
    }
  }

  return {
    withPlatform,
    statusLines(): readonly string[] {
      // An account may have become usable since; the next readiness check shows it.
      if (isWithoutAccount)
        findAccount().catch((err: unknown) => log.warn({ err }, 'the market accounts could not be read'))
      return lines
    },
    async checkAccount(): Promise<void> {
      await findAccount()
    },
  }
}

interface Fetching {
  readonly deps: Deps
  readonly client: PlatformClient
  readonly signal: AbortSignal
  readonly report: (note: string) => void
}

const countOf = ({ database }: Deps, { market }: Series, range: Range): Promise<number> =>
  countFinal(systemDb(database.kysely), market, range)

const isWhole = async (deps: Deps, series: Series, range: Range): Promise<boolean> =>
  (await countOf(deps, series, range)) === (range.to - range.from) / HOUR_MS

/**
 * Makes one call and stores its prices in one transaction. Unpublished days at the end are left for later.
 */
async function fetchPrices({ deps, client }: Fetching, series: Series, hours: Range): Promise<Stored> {
  let days: DayRange | undefined = dayRangeOf(hours)
  for (let droppedDays = 0; days && droppedDays <= MARKET_UNPUBLISHED_DAYS_MAX; droppedDays += 1) {
    const prices = await client.prices(series, days)
    if (prices !== 'not_published') {
      const stored = await inSystemTx(deps.database.kysely, (tx) =>
        storePrices(tx, { series, prices, at: deps.clock.now() }),
      )
      deps.log.debug(
        { series: series.path, ...days, hours: prices.length, ...stored },
        'market prices stored',
      )
      return stored
    }
    deps.log.info({ series: series.path, day: days.last }, 'market prices are not published yet')
    days = withoutLastDay(days)
  }
  return { added: 0, changed: 0 }
}

/**
 * Fetches the due months, newest first, each with its own call and transaction. An interrupted run resumes
 * where it stopped, because stored months are not due any more.
 */
async function fill(
  fetching: Fetching,
  months: readonly MarketMonth[],
  isDue: (month: MarketMonth) => Promise<boolean>,
): Promise<void> {
  const { deps, signal, report } = fetching
  const due: MarketMonth[] = []
  for (const month of months) if (await isDue(month)) due.push(month)
  for (const [index, { market, period, range }] of due.entries()) {
    signal.throwIfAborted()
    const { added, changed } = await fetchPrices(fetching, FINAL_OF[market], range)
    const month = period.slice(0, 7)
    const done = `${index + 1} of ${due.length}`
    report(`market prices are being filled: ${done} months are done`)
    deps.log.info(
      { market, month, added, changed, done },
      `market prices: ${month} of ${market}, month ${done}`,
    )
  }
}
