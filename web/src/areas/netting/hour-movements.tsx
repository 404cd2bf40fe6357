import { localYear } from '../../../../src/kernel/time.ts'
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Detail, Details } from '../../ui/details.tsx'
import { Loaded } from '../../ui/page.tsx'
import { Energy } from '../../ui/value.tsx'
import { type Account, useAccounts, useMovements } from './accounts.ts'
import { type Member, membersAt, useFacilityNames, useMembers } from './facilities.ts'
import type { HourlyRow } from './hour-provenance.tsx'
import { PROVENANCE_TEXTS } from './provenance-texts.ts'
import { NETTING_TEXTS } from './texts.ts'
import { MOVEMENTS, useWord } from './words.ts'

/** The limit around an hour, and what its run booked in the ledger. */
export function HourMovements({ row }: { readonly row: HourlyRow }) {
  const t = useText()
  const members = useMembers(row.group_id)
  const hour = Date.parse(row.hour)
  return (
    <section className="stack">
      <h3>{t(PROVENANCE_TEXTS.PROVENANCE_LIMIT())}</h3>
      <Details>
        <Detail term={t(NETTING_TEXTS.NETTING_LIMIT_BEFORE())}>
          <Energy value={row.limit_before_kwh} />
        </Detail>
        <Detail term={t(PROVENANCE_TEXTS.PROVENANCE_LIMIT_USED())}>
          <Energy value={row.limit_used_kwh} />
        </Detail>
        <Detail term={t(NETTING_TEXTS.NETTING_LIMIT_AFTER())}>
          <Energy value={row.limit_after_kwh} />
        </Detail>
      </Details>
      <Loaded query={members}>
        {(all) => (
          <MovementsOf members={membersAt(all, hour)} year={localYear(hour)} runId={row.calculation_run_id} />
        )}
      </Loaded>
    </section>
  )
}

interface MovementsOfProps {
  readonly members: readonly Member[]
  readonly year: number
  readonly runId: string
}

function MovementsOf({ members, year, runId }: MovementsOfProps) {
  const accounts = useAccounts(members, year)
  return <Loaded query={accounts}>{(rows) => <MovementTable accounts={rows} runId={runId} />}</Loaded>
}

interface MovementTableProps {
  readonly accounts: readonly Account[]
  readonly runId: string
}

function MovementTable({ accounts, runId }: MovementTableProps) {
  const t = useText()
  const word = useWord()
  const { language } = useLanguage()
  const movements = useMovements(accounts, runId)
  const nameOf = useFacilityNames(accounts.map(({ facility_id }) => facility_id))
  const facilityOf = new Map(accounts.map(({ id, facility_id }) => [id, facility_id]))
  return (
    <Loaded query={movements}>
      {(rows) => (
        <>
          <DataTable
            report={{
              list: 'limit_movements',
              query: { id: accounts.map(({ id }) => id).join(), calculation_run_id: runId },
            }}
            caption={t(PROVENANCE_TEXTS.PROVENANCE_MOVEMENTS())}
            rows={rows}
            keyOf={({ id }) => id}
            empty={t(PROVENANCE_TEXTS.PROVENANCE_NO_MOVEMENTS())}
            columns={[
              {
                id: 'account',
                title: t(PROVENANCE_TEXTS.PROVENANCE_ACCOUNT()),
                cell: ({ account_id }) => nameOf(facilityOf.get(account_id) ?? account_id),
              },
              {
                id: 'type',
                title: t(PROVENANCE_TEXTS.PROVENANCE_MOVEMENT()),
                cell: ({ movement_type }) => word(MOVEMENTS, movement_type),
              },
              {
                id: 'amount',
                title: t(PROVENANCE_TEXTS.PROVENANCE_QUANTITY()),
                isNumber: true,
                cell: ({ amount_kwh }) => <Energy value={amount_kwh} />,
              },
              {
                id: 'booked',
                title: t(PROVENANCE_TEXTS.PROVENANCE_BOOKED()),
                cell: ({ created_at }) => formatInstant(created_at, 'dateTime', language),
              },
            ]}
          />
          <p className="muted">{t(PROVENANCE_TEXTS.PROVENANCE_MOVEMENTS_NOTE())}</p>
        </>
      )}
    </Loaded>
  )
}
