import { useNavigate, useSearch } from '@tanstack/react-router'
import { useText } from '../../../kernel/text.tsx'
import { Notice } from '../../../ui/controls.tsx'
import { Loaded } from '../../../ui/page.tsx'
import { type Account, useAccounts } from '../accounts.ts'
import { type Member, useFacilityNames, useMembers } from '../facilities.ts'
import { useGroupMonth } from '../group-month.ts'
import { LimitGauge } from './limit-gauge.tsx'
import { Statement } from './statement-table.tsx'
import { LEDGER_TEXTS } from './texts.ts'

/** The limits of the consumers of a group in the year of the month, and the statement of one account. */
export function LedgerPage() {
  const { groupId, month } = useGroupMonth()
  const members = useMembers(groupId)
  return (
    <Loaded query={members}>{(rows) => <LedgerOf members={rows} year={Number(month.slice(0, 4))} />}</Loaded>
  )
}

interface LedgerOfProps {
  readonly members: readonly Member[]
  readonly year: number
}

function LedgerOf({ members, year }: LedgerOfProps) {
  const t = useText()
  const accounts = useAccounts(members, year)
  return (
    <Loaded query={accounts}>
      {(rows) =>
        rows.length === 0 ? (
          <Notice>{t(LEDGER_TEXTS.LEDGER_NO_ACCOUNTS({ year }))}</Notice>
        ) : (
          <Accounts accounts={rows} year={year} />
        )
      }
    </Loaded>
  )
}

interface AccountsProps {
  readonly accounts: readonly Account[]
  readonly year: number
}

function Accounts({ accounts, year }: AccountsProps) {
  const t = useText()
  const { account } = useSearch({ from: '/signed-in/netting/groups/$groupId/ledger' })
  const navigate = useNavigate({ from: '/netting/groups/$groupId/ledger' })
  const nameOf = useFacilityNames(accounts.map(({ facility_id }) => facility_id))
  const selected = accounts.find(({ id }) => id === account) ?? accounts[0]
  return (
    <>
      <section className="stack">
        <h2>{t(LEDGER_TEXTS.LEDGER_LIMITS({ year }))}</h2>
        <div className="cards">
          {accounts.map((each) => (
            <LimitGauge
              key={each.id}
              account={each}
              name={nameOf(each.facility_id)}
              isSelected={each.id === selected?.id}
              onSelect={() =>
                void navigate({
                  search: (previous) => ({ ...previous, account: each.id }),
                  replace: true,
                  resetScroll: false,
                })
              }
            />
          ))}
        </div>
      </section>
      {selected && <Statement key={selected.id} account={selected} name={nameOf(selected.facility_id)} />}
    </>
  )
}
