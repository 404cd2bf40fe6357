import { makeMarketPulls } from '../areas/netting/market/index.ts'
import { addMonths, type BillingPeriod, parsePeriod, periodOf } from '../kernel/time.ts'
import { type Command, type Invocation, optionalText, UsageError } from './command.ts'
import { withDeps } from './database.ts'
import { MARKET_PULL_MONTHS_MAX } from './limits.ts'

function monthIn(invocation: Invocation, name: string): BillingPeriod | undefined {
  const text = optionalText(invocation, name)
  if (text === undefined) return undefined
  const period = /^\d{4}-\d{2}$/.test(text) ? parsePeriod(text) : undefined
  if (period === undefined) throw new UsageError(`--${name}: "${text}" is not a month, such as 2026-05`)
  return period
}

/** Returns the range of months; undefined for missing months. */
function monthsOf(invocation: Invocation): readonly [BillingPeriod, BillingPeriod] | undefined {
  const current = periodOf(invocation.io.now())
  const from = monthIn(invocation, 'from')
  const to = monthIn(invocation, 'to')
  if (from === undefined) {
    if (to !== undefined) throw new UsageError('--to needs --from')
    return undefined
  }
  const last = to ?? current
  if (last > current || from > last)
    throw new UsageError('--from must not lie after --to, nor --to after today')
  if (from < addMonths(last, 1 - MARKET_PULL_MONTHS_MAX))
    throw new UsageError(`at most ${MARKET_PULL_MONTHS_MAX} months are pulled at once`)
  return [from, last]
}

export const marketPull: Command = {
  options: { from: { type: 'string' }, to: { type: 'string' } },
  positionals: 0,
  run: (invocation) => {
    const months = monthsOf(invocation)
    const { io } = invocation
    return withDeps(invocation, async (deps) => {
      if (!deps.config.marketopEnabled) throw new Error('MARKETOP_ENABLED is false: prices are not pulled')
      const pulls = makeMarketPulls(deps, io.out)
      const pull = months ? pulls.months(...months) : pulls.backfill
      const { signal } = new AbortController()
      const outcome = await pull(io.now(), { signal, partFailed: () => {} })
      if (outcome === 'pulled') io.out('All that is published is stored.')
      return outcome === 'pulled' ? 0 : 1
    })
  },
}
