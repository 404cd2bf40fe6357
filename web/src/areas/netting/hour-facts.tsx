import { useGets } from '../../api/queries.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { percentText } from '../../kernel/units.ts'
import { Tag } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Loaded } from '../../ui/page.tsx'
import { Energy } from '../../ui/value.tsx'
import { type Member, membersAt, useFacilityNames, useMembers } from './facilities.ts'
import { useGroupMonth } from './group-month.ts'
import { PROVENANCE_TEXTS } from './provenance-texts.ts'
import { NETTING_TEXTS } from './texts.ts'
import { FACT_SOURCES, MEMBER_ROLES, METER_ROLES, QUALITIES, SOURCE_ORDER, useWord } from './words.ts'

interface Range {
  readonly from: string
  readonly to: string
}
type Facts = ReturnType<typeof useFacts>
type Fact = NonNullable<Facts['data']>[number][number]
interface FactRow {
  readonly fact: Fact
  readonly member: Member
  /** Whether a stronger source measured the same role. */
  readonly isWeaker: boolean
}

const VALUES = [
  ['production_kwh', NETTING_TEXTS.NETTING_PRODUCTION],
  ['consumption_kwh', NETTING_TEXTS.NETTING_CONSUMPTION],
  ['self_consumption_kwh', PROVENANCE_TEXTS.PROVENANCE_SELF],
  ['import_kwh', PROVENANCE_TEXTS.PROVENANCE_IMPORT],
  ['export_kwh', PROVENANCE_TEXTS.PROVENANCE_EXPORT],
  ['battery_kwh', PROVENANCE_TEXTS.PROVENANCE_BATTERY],
] as const

const useFacts = (members: readonly Member[], range: Range) =>
  useGets(
    '/api/mahsuplasma/facilities/{id}/hourly-energy',
    members.map(({ facility_id }) => ({ path: { id: facility_id }, query: range })),
  )

/** What the meters of the members measured in an hour. */
export function HourFacts({ range }: { readonly range: Range }) {
  const { groupId } = useGroupMonth()
  const members = useMembers(groupId)
  return (
    <section className="stack">
      <Loaded query={members}>
        {(all) => <FactsOf members={membersAt(all, Date.parse(range.from))} range={range} />}
      </Loaded>
    </section>
  )
}

function FactsOf({ members, range }: { readonly members: readonly Member[]; readonly range: Range }) {
  const t = useText()
  const facts = useFacts(members, range)
  if (members.length === 0) return <p className="muted">{t(PROVENANCE_TEXTS.PROVENANCE_NO_MEMBERS())}</p>
  return <Loaded query={facts}>{(lists) => <FactTable rows={rowsOf(members, lists)} range={range} />}</Loaded>
}

function rowsOf(members: readonly Member[], lists: readonly (readonly Fact[])[]): FactRow[] {
  const strength = ({ source }: Fact) => SOURCE_ORDER.indexOf(source)
  return members.flatMap((member, index) => {
    const sorted = (lists[index] ?? []).toSorted((a, b) => strength(a) - strength(b))
    return sorted.map((fact, position) => {
      const isSame = (other: Fact) => other.measurement_role === fact.measurement_role
      return { fact, member, isWeaker: sorted.slice(0, position).some(isSame) }
    })
  })
}

interface FactTableProps {
  readonly rows: readonly FactRow[]
  readonly range: Range
}

function FactTable({ rows, range }: FactTableProps) {
  const t = useText()
  const word = useWord()
  const { language } = useLanguage()
  const facilities = [...new Set(rows.map(({ fact }) => fact.facility_id))]
  const nameOf = useFacilityNames(facilities)
  return (
    <>
      <DataTable
        report={
          facilities.length > 0 ? { list: 'hourly_energy', query: { ...range, id: facilities.join() } } : null
        }
        caption={t(PROVENANCE_TEXTS.PROVENANCE_FACTS())}
        rows={rows}
        keyOf={({ fact, member }) => `${member.id} ${fact.source} ${fact.measurement_role}`}
        empty={t(PROVENANCE_TEXTS.PROVENANCE_NO_FACTS())}
        columns={[
          {
            id: 'facility',
            title: t(PROVENANCE_TEXTS.PROVENANCE_MEMBER()),
            cell: ({ member }) => nameOf(member.facility_id),
          },
          {
            id: 'role',
            title: t(PROVENANCE_TEXTS.PROVENANCE_ROLE()),
            cell: ({ member }) => word(MEMBER_ROLES, member.member_role),
          },
          {
            id: 'meter',
            title: t(PROVENANCE_TEXTS.PROVENANCE_METER()),
            cell: ({ fact }) => word(METER_ROLES, fact.measurement_role),
          },
          {
            id: 'source',
            title: t(PROVENANCE_TEXTS.PROVENANCE_SOURCE()),
            cell: ({ fact, isWeaker }) => (
              <>
                {word(FACT_SOURCES, fact.source)}{' '}
                {isWeaker && <Tag>{t(PROVENANCE_TEXTS.PROVENANCE_WEAKER())}</Tag>}
              </>
            ),
          },
          {
            id: 'values',
            title: t(PROVENANCE_TEXTS.PROVENANCE_VALUES()),
            isNumber: true,
            cell: ({ fact }) => <FactValues fact={fact} />,
          },
          {
            id: 'quality',
            title: t(NETTING_TEXTS.NETTING_QUALITY()),
            cell: ({ fact }) => (
              <Tag tone={fact.data_quality === 'complete' ? 'success' : 'warning'}>
                {word(QUALITIES, fact.data_quality)}
              </Tag>
            ),
          },
          {
            id: 'covered',
            title: t(PROVENANCE_TEXTS.PROVENANCE_COVERED()),
            isNumber: true,
            cell: ({ fact }) => percentText(fact.completeness_pct, language),
          },
        ]}
      />
      <p className="muted">{t(PROVENANCE_TEXTS.PROVENANCE_FACTS_NOTE())}</p>
    </>
  )
}

function FactValues({ fact }: { readonly fact: Fact }) {
  const t = useText()
  const known = VALUES.filter(([field]) => fact[field] !== null)
  if (known.length === 0) return <Energy value={null} />
  return known.map(([field, text]) => (
    <div key={field}>
      <small className="muted">{t(text())}</small> <Energy value={fact[field]} />
    </div>
  ))
}
