import { DAY_MS, dayStart } from '../../../../../src/kernel/time.ts'
import { useCan } from '../../../api/session.tsx'
import { formatDay, formatInstant } from '../../../kernel/dates.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { MEMBERS } from '../../../records/netting-resources.ts'
import { CreateButton, RecordButtons } from '../../../records/record-buttons.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Loaded } from '../../../ui/page.tsx'
import { UI_TEXTS } from '../../../ui/texts.ts'
import { type Member, useFacilityNames, useMembers } from '../facilities.ts'
import { useGroupMonth } from '../group-month.ts'
import { MEMBER_ROLES, useWord } from '../words.ts'
import { RULES_TEXTS } from './texts.ts'

/** The memberships of a group, with the time of each as a bar. */
export function MembersPage() {
  const { groupId } = useGroupMonth()
  const members = useMembers(groupId)
  return (
    <>
      <div className="row">
        <CreateButton resource={MEMBERS} parentId={groupId} />
      </div>
      <Loaded query={members}>{(rows) => <MemberTable members={rows} groupId={groupId} />}</Loaded>
    </>
  )
}

/** The time before and after the bars, so that an open end can be seen. */
const MARGIN_MS = 60 * DAY_MS

interface Extent {
  readonly from: number
  readonly to: number
}

/** From the first beginning to the present, or to a later end. */
function extentOf(members: readonly Member[]): Extent {
  const starts = members.map(({ valid_from }) => dayStart(valid_from))
  const ends = members.flatMap(({ valid_to }) => (valid_to === null ? [] : [dayStart(valid_to)]))
  return { from: Math.min(...starts) - MARGIN_MS, to: Math.max(Date.now(), ...ends) + MARGIN_MS }
}

interface MemberTableProps {
  readonly members: readonly Member[]
  readonly groupId: string
}

function MemberTable({ members, groupId }: MemberTableProps) {
  const t = useText()
  const can = useCan()
  const word = useWord()
  const { language } = useLanguage()
  const nameOf = useFacilityNames(members.map(({ facility_id }) => facility_id))
  const extent = extentOf(members)
  return (
    <section className="stack">
      <DataTable
        report={{ list: 'group_members', query: { id: groupId } }}
        caption={t(RULES_TEXTS.RULES_MEMBERS())}
        rows={members.toSorted((a, b) => (a.valid_from < b.valid_from ? -1 : 1))}
        keyOf={({ id }) => id}
        empty={t(RULES_TEXTS.RULES_NO_MEMBERS())}
        columns={[
          {
            id: 'facility',
            title: t(RULES_TEXTS.RULES_FACILITY()),
            cell: ({ facility_id }) => nameOf(facility_id),
          },
          {
            id: 'role',
            title: t(RULES_TEXTS.RULES_ROLE()),
            cell: ({ member_role }) => word(MEMBER_ROLES, member_role),
          },
          {
            id: 'from',
            title: t(RULES_TEXTS.RULES_FROM()),
            cell: ({ valid_from }) => formatDay(valid_from, language),
          },
          {
            id: 'to',
            title: t(RULES_TEXTS.RULES_TO()),
            cell: ({ valid_to }) =>
              valid_to === null ? t(RULES_TEXTS.RULES_OPEN()) : formatDay(valid_to, language),
          },
          {
            id: 'timeline',
            title: t(RULES_TEXTS.RULES_TIMELINE()),
            cell: (member) => <TimelineBar member={member} extent={extent} />,
          },
          ...(can('manage:netting')
            ? [
                {
                  id: 'actions',
                  title: t(UI_TEXTS.UI_ACTIONS()),
                  cell: (member: Member) => (
                    <RecordButtons resource={MEMBERS} record={{ ...member }} parentId={groupId} />
                  ),
                },
              ]
            : []),
        ]}
      />
      {members.length > 0 && (
        <p className="muted">
          {t(
            RULES_TEXTS.RULES_TIMELINE_RANGE({
              from: formatInstant(extent.from, 'date', language),
              to: formatInstant(extent.to, 'date', language),
            }),
          )}
        </p>
      )}
    </section>
  )
}

/** The time of a membership within the extent of all; an open end has no edge. */
function TimelineBar({ member, extent }: { readonly member: Member; readonly extent: Extent }) {
  const { valid_from, valid_to, member_role } = member
  const share = (at: number) => ((at - extent.from) / (extent.to - extent.from)) * 100
  const start = share(dayStart(valid_from))
  const end = valid_to === null ? 100 : share(dayStart(valid_to))
  return (
    <div className="timeline" aria-hidden="true">
      <span
        data-role={member_role}
        data-open={valid_to === null || undefined}
        style={{ left: `${start}%`, width: `${end - start}%` }}
      />
    </div>
  )
}
