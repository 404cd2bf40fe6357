import { formatDay, formatMonth } from '../../../kernel/dates.ts'
import { formatShort } from '../../../kernel/decimal.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { useFacilityNames } from '../facilities.ts'
import type { Change } from './change-form.ts'
import { changeFieldText, changeWord } from './change-texts.ts'
import { useGroupNames } from './data.ts'
import { SCENARIO_PAGE_TEXTS as TEXTS } from './texts.ts'

const GROUP_FIELDS = ['group_id', 'from_group_id'] as const
const FACILITY_FIELDS = ['facility_id', 'source_facility_id', 'target_facility_id'] as const
/** Values of a list that are written out. */
const LISTED_MAX = 24

const idsOf = (changes: readonly Change[], fields: readonly string[]): string[] =>
  changes.flatMap((change) =>
    [change, change['profile'], change['production'], change['consumption']].flatMap((part) =>
      fields.flatMap((field) => {
        const id = (part as Readonly<Record<string, unknown>> | undefined)?.[field]
        return typeof id === 'string' ? [id] : []
      }),
    ),
  )

/** The facilities that the changes add, as records that later changes may choose. */
export const addedFacilities = (changes: readonly Change[]) =>
  changes.flatMap(({ type, facility_id, name }) =>
    type === 'add_facility' && typeof facility_id === 'string' ? [{ id: facility_id, name }] : [],
  )

/** A function that writes the fields of a change out. */
export function useChangeText(changes: readonly Change[]): (change: Change) => string {
  const t = useText()
  const { language } = useLanguage()
  const added = new Map(addedFacilities(changes).map(({ id, name }) => [id, String(name)]))
  const facilityName = useFacilityNames(idsOf(changes, FACILITY_FIELDS).filter((id) => !added.has(id)))
  const groupName = useGroupNames(idsOf(changes, GROUP_FIELDS))
  const textOfValue = (name: string, value: unknown): string => {
    if (Array.isArray(value))
      return value.length > LISTED_MAX
        ? t(TEXTS.SCENARIOS_PROFILE_COUNT({ count: value.length }))
        : value.join(', ')
    if (typeof value === 'object' && value !== null) return fieldsOf(value)
    const text = String(value)
    if ((FACILITY_FIELDS as readonly string[]).includes(name)) return added.get(text) ?? facilityName(text)
    if ((GROUP_FIELDS as readonly string[]).includes(name)) return groupName(text)
    if (name === 'month') return formatMonth(text, language)
    if (name === 'from' || name === 'to') return formatDay(text, language)
    if (name === 'name') return text
    if (/^-?\d+(\.\d+)?$/.test(text)) return formatShort(text, language)
    return changeWord(text, t, name)
  }
  const fieldsOf = (part: object): string =>
    Object.entries(part)
      .filter(([name, value]) => name !== 'type' && value !== undefined && value !== null)
      .map(([name, value]) => `${changeFieldText(name, t)}: ${textOfValue(name, value)}`)
      .join(' · ')
  return (change) => {
    const { facility_id, ...rest } = change
    return fieldsOf(change.type === 'add_facility' ? rest : change)
  }
}

/** The changes of a scenario, in their order. */
export function ChangeSummary({
  changes,
  failedAt,
}: {
  readonly changes: readonly Change[]
  readonly failedAt?: number | null
}) {
  const t = useText()
  const textOf = useChangeText(changes)
  if (changes.length === 0) return <p className="muted">{t(TEXTS.SCENARIOS_NO_CHANGES())}</p>
  return (
    <ol className="change-list">
      {changes.map((change, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the position is what identifies a change
        <li key={index} data-failed={index === failedAt || undefined}>
          <b>{changeWord(change.type, t)}</b> <span className="muted">{textOf(change)}</span>
        </li>
      ))}
    </ol>
  )
}
