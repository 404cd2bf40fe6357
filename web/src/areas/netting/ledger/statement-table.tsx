import { useState } from 'react'
import { useGet } from '../../../api/queries.ts'
import { formatInstant, formatMonth } from '../../../kernel/dates.ts'
import { scaled } from '../../../kernel/decimal.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { Button } from '../../../ui/controls.tsx'
import { ExportMenu } from '../../../ui/export-menu.tsx'
import { Loaded } from '../../../ui/page.tsx'
import { ScrollFrame } from '../../../ui/scroll-frame.tsx'
import { Energy } from '../../../ui/value.tsx'
import { type Account, MOVEMENTS_READ, useMovements } from '../accounts.ts'
import { useGroupMonth } from '../group-month.ts'
import { MOVEMENTS, useWord } from '../words.ts'
import { type StatementEntry, type StatementLine, statementOf } from './statement.ts'
import { LEDGER_TEXTS } from './texts.ts'

const ENTRIES_SHOWN = 50
const RUNS_READ = 500

/** The movements of an account, newest first, with the balance after each. */
export function Statement({ account, name }: { readonly account: Account; readonly name: string }) {
  const t = useText()
  const movements = useMovements([account])
  const [count, setCount] = useState(ENTRIES_SHOWN)
  const caption = t(LEDGER_TEXTS.LEDGER_STATEMENT({ name, year: account.year }))
  return (
    <Loaded query={movements}>
      {(rows) => {
        const entries = statementOf(rows, account.remaining_limit_kwh ?? account.initial_limit_kwh)
        return (
          <section className="stack">
            <Sums account={account} />
            <div className="table-block">
              <ExportMenu caption={caption} report={{ list: 'limit_movements', query: { id: account.id } }} />
              <StatementTable caption={caption} entries={entries.slice(0, count)} />
            </div>
            {entries.length > count && (
              <div>
                <Button onPress={() => setCount(count + ENTRIES_SHOWN)}>
                  {t(LEDGER_TEXTS.LEDGER_MORE())}
                </Button>
              </div>
            )}
            {rows.length >= MOVEMENTS_READ && (
              <p className="muted">{t(LEDGER_TEXTS.LEDGER_CUT({ count: MOVEMENTS_READ }))}</p>
            )}
          </section>
        )
      }}
    </Loaded>
  )
}

/** The account as a sum: the limit of the beginning, each type of movement, and what remains. */
function Sums({ account }: { readonly account: Account }) {
  const t = useText()
  const word = useWord()
  const query = useGet('/api/mahsuplasma/limits/accounts/{id}/movements/totals', {
    path: { id: account.id },
  })
  return (
    <Loaded query={query}>
      {({ initial_limit_kwh, remaining_limit_kwh, by_type }) => (
        <section className="card narrow">
          <table className="sum-table">
            <caption>{t(LEDGER_TEXTS.LEDGER_SUMS())}</caption>
            <tbody>
              <tr>
                <th scope="row">{t(LEDGER_TEXTS.LEDGER_OPENING())}</th>
                <td className="number">
                  <Energy value={initial_limit_kwh} />
                </td>
              </tr>
              {by_type
                .filter(({ movement_type }) => movement_type !== 'initial')
                .map(({ movement_type, amount_kwh }) => (
                  <tr key={movement_type}>
                    <th scope="row">{word(MOVEMENTS, movement_type)}</th>
                    <td className="number">
                      <Energy value={amount_kwh} />
                    </td>
                  </tr>
                ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">= {t(LEDGER_TEXTS.LEDGER_REMAINING())}</th>
                <td className="number">
                  <Energy value={remaining_limit_kwh} />
                </td>
              </tr>
            </tfoot>
          </table>
        </section>
      )}
    </Loaded>
  )
}

interface StatementTableProps {
  readonly caption: string
  readonly entries: readonly StatementEntry[]
}

function StatementTable({ caption, entries }: StatementTableProps) {
  const t = useText()
  const periodOf = usePeriods()
  return (
    <ScrollFrame label={caption}>
      <table className="table">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{t(LEDGER_TEXTS.LEDGER_MOVEMENT())}</th>
            <th scope="col">{t(LEDGER_TEXTS.LEDGER_PERIOD())}</th>
            <th scope="col">{t(LEDGER_TEXTS.LEDGER_BOOKED())}</th>
            <th scope="col" className="number">
              {t(LEDGER_TEXTS.LEDGER_DEBIT())}
            </th>
            <th scope="col" className="number">
              {t(LEDGER_TEXTS.LEDGER_CREDIT())}
            </th>
            <th scope="col" className="number">
              {t(LEDGER_TEXTS.LEDGER_BALANCE())}
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.length === 0 && (
            <tr>
              <td colSpan={6} className="muted">
                {t(LEDGER_TEXTS.LEDGER_NO_MOVEMENTS())}
              </td>
            </tr>
          )}
          {entries.map((entry) =>
            entry.isCorrection ? (
              <Correction key={entry.id} entry={entry} periodOf={periodOf} />
            ) : (
              entry.lines.map((line) => <Line key={line.movement.id} line={line} periodOf={periodOf} />)
            ),
          )}
        </tbody>
      </table>
    </ScrollFrame>
  )
}

type PeriodOf = (runId: string | null) => string

/** The month of the run that booked a movement; the account may be used by other groups too. */
function usePeriods(): PeriodOf {
  const t = useText()
  const { language } = useLanguage()
  const { path } = useGroupMonth()
  const runs = useGet('/api/mahsuplasma/groups/{id}/runs', { path, query: { limit: RUNS_READ } })
  const periods = new Map(runs.data?.map(({ id, billing_period }) => [id, billing_period]))
  return (runId) => {
    if (runId === null || runs.data === undefined) return ''
    const period = periods.get(runId)
    return period === undefined ? t(LEDGER_TEXTS.LEDGER_OTHER_GROUP()) : formatMonth(period, language)
  }
}

function Amounts({ amount, balance }: { readonly amount: string; readonly balance: string }) {
  const isDebit = scaled(amount, 3) < 0n
  return (
    <>
      <td className="number">{isDebit && <Energy value={amount} />}</td>
      <td className="number">{!isDebit && <Energy value={amount} />}</td>
      <td className="number">
        <Energy value={balance} />
      </td>
    </>
  )
}

interface LineProps {
  readonly line: StatementLine
  readonly periodOf: PeriodOf
  readonly isPart?: boolean
}

function Line({ line: { movement, balance }, periodOf, isPart }: LineProps) {
  const word = useWord()
  const { language } = useLanguage()
  return (
    <tr data-part={isPart || undefined}>
      <th scope="row">
        {word(MOVEMENTS, movement.movement_type)}
        {movement.reason !== null && <div className="muted reason">{movement.reason}</div>}
      </th>
      <td>{periodOf(movement.calculation_run_id)}</td>
      <td>{formatInstant(movement.created_at, 'dateTime', language)}</td>
      <Amounts amount={movement.amount_kwh} balance={balance} />
    </tr>
  )
}

/** What a correction changed in one line; its reversal and new bookings are shown on request. */
function Correction({ entry, periodOf }: { readonly entry: StatementEntry; readonly periodOf: PeriodOf }) {
  const t = useText()
  const { language } = useLanguage()
  const [isOpen, setIsOpen] = useState(false)
  const [first] = entry.lines
  if (!first) return null
  const { movement } = first
  return (
    <>
      <tr>
        <th scope="row">
          <button
            type="button"
            className="disclosure"
            aria-expanded={isOpen}
            title={t(isOpen ? LEDGER_TEXTS.LEDGER_COLLAPSE() : LEDGER_TEXTS.LEDGER_EXPAND())}
            onClick={() => setIsOpen(!isOpen)}
          >
            <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span>{' '}
            {t(LEDGER_TEXTS.LEDGER_CORRECTION({ count: entry.lines.length }))}
          </button>
          {movement.reason !== null && <div className="muted reason">{movement.reason}</div>}
        </th>
        <td>{periodOf(movement.calculation_run_id)}</td>
        <td>{formatInstant(movement.created_at, 'dateTime', language)}</td>
        <Amounts amount={entry.amount} balance={entry.balance} />
      </tr>
      {isOpen &&
        entry.lines.map((line) => <Line key={line.movement.id} line={line} periodOf={periodOf} isPart />)}
    </>
  )
}
