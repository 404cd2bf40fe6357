import { useNavigate } from '@tanstack/react-router'
import { type SyntheticEvent, useState } from 'react'
import { useClient } from '../../../api/session.tsx'
import { useBodySchema } from '../../../forms/api-document.ts'
import type { JsonSchema } from '../../../forms/schema.ts'
import { monthOf } from '../../../kernel/dates.ts'
import { useText } from '../../../kernel/text.tsx'
import { GROUP } from '../../../records/netting-resources.ts'
import { RecordsPicker } from '../../../records/record-picker.tsx'
import { Button, Notice, Select } from '../../../ui/controls.tsx'
import { MonthField } from '../../../ui/date-field.tsx'
import { NativeField } from '../../../ui/inputs.tsx'
import { Loaded, Page, useErrorText } from '../../../ui/page.tsx'
import { ChangeEditor } from '../scenarios/change-editor.tsx'
import type { Change } from '../scenarios/change-form.ts'
import { changeWord } from '../scenarios/change-texts.ts'
import { ScenarioFrame } from '../scenarios/marking.tsx'
import { SCENARIO_PAGE_TEXTS } from '../scenarios/texts.ts'
import { LIST, type Sizing, useSizingRefresh } from './data.ts'
import { SIZING_PAGE_TEXTS as TEXTS } from './texts.ts'

/** A new sizing: the months, the changes, and the sizes of one of them. */
export function NewSizingPage() {
  const t = useText()
  const schema = useBodySchema('POST', LIST)
  return (
    <Page title={t(TEXTS.SIZINGS_NEW())}>
      <ScenarioFrame>
        <p className="muted">{t(TEXTS.SIZINGS_HELP())}</p>
        <Loaded query={schema}>
          {(body) => <SizingForm schema={body.properties?.['changes']?.items ?? {}} />}
        </Loaded>
      </ScenarioFrame>
    </Page>
  )
}

const month = monthOf(Date.now())
const START = { name: '', groups: '', start: month, end: month, change: '1' }
const SIZES = { from: '', to: '', step: '', fixed: '', perUnit: '' }
type Draft = Readonly<Record<keyof typeof START | keyof typeof SIZES, string>>

const numberText = (text: string): string => text.trim().replace(',', '.')

const bodyOf = (draft: Draft, changes: readonly Change[]) => ({
  name: draft.name.trim(),
  group_ids: draft.groups.split(', ').filter((id) => id !== ''),
  ...{ from: draft.start, to: draft.end, change: Math.min(Number(draft.change), changes.length) - 1 },
  changes: changes as unknown as Sizing['changes'],
  range: { from: numberText(draft.from), to: numberText(draft.to), step: numberText(draft.step) },
  ...(draft.fixed.trim() !== '' && { cost_fixed_try: numberText(draft.fixed) }),
  ...(draft.perUnit.trim() !== '' && { cost_per_unit_try: numberText(draft.perUnit) }),
})

const FIELDS = [
  ['name', 'text', SCENARIO_PAGE_TEXTS.SCENARIOS_NAME, true],
  ['start', 'month', SCENARIO_PAGE_TEXTS.SCENARIOS_FROM, true],
  ['end', 'month', SCENARIO_PAGE_TEXTS.SCENARIOS_TO, true],
  ['from', 'text', TEXTS.SIZINGS_FROM, true],
  ['to', 'text', TEXTS.SIZINGS_TO, true],
  ['step', 'text', TEXTS.SIZINGS_STEP, true],
  ['fixed', 'text', TEXTS.SIZINGS_FIXED, false],
  ['perUnit', 'text', TEXTS.SIZINGS_PER_UNIT, false],
] as const

function SizingForm({ schema }: { readonly schema: JsonSchema }) {
  const t = useText()
  const { api } = useClient()
  const errorText = useErrorText()
  const refresh = useSizingRefresh()
  const navigate = useNavigate()
  const [draft, setDraft] = useState<Draft>({ ...START, ...SIZES })
  const [changes, setChanges] = useState<readonly Change[]>([])
  const [error, setError] = useState<unknown>()
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault()
    setError(undefined)
    try {
      const { data } = await api.post(LIST, { body: bodyOf(draft, changes) })
      await refresh()
      await navigate({ to: '/netting/sizings/$sizingId', params: { sizingId: data.id } })
    } catch (failure) {
      setError(failure)
    }
  }
  return (
    <>
      <form className="card" id="sizing" onSubmit={(event) => void submit(event)}>
        <div className="form">
          <RecordsPicker
            label={t(SCENARIO_PAGE_TEXTS.SCENARIOS_GROUPS())}
            value={draft.groups}
            isRequired={false}
            reference={GROUP}
            onChange={(groups) => setDraft((before) => ({ ...before, groups }))}
          />
          {FIELDS.map(([name, type, text, isRequired]) => {
            const field = {
              label: t(text()),
              value: draft[name],
              isRequired,
              onChange: (value: string) => setDraft((before) => ({ ...before, [name]: value })),
            }
            return type === 'month' ? (
              <MonthField key={name} {...field} />
            ) : (
              <NativeField key={name} {...field} type={type} />
            )
          })}
        </div>
      </form>
      <ChangeEditor
        schema={schema}
        changes={changes}
        onChange={setChanges}
        emptyText={TEXTS.SIZINGS_NO_CHANGES()}
      />
      {changes.length > 1 && (
        <Select
          label={t(TEXTS.SIZINGS_CHANGE())}
          value={draft.change}
          onChange={(change) => setDraft((before) => ({ ...before, change }))}
          options={changes.map(({ type }, index) => ({
            value: String(index + 1),
            text: `${index + 1}. ${changeWord(type, t)}`,
          }))}
        />
      )}
      {error !== undefined && <Notice tone="danger">{errorText(error)}</Notice>}
      <div>
        <Button
          type="submit"
          form="sizing"
          variant="primary"
          isDisabled={draft.groups === '' || changes.length === 0}
        >
          {t(TEXTS.SIZINGS_CREATE())}
        </Button>
      </div>
    </>
  )
}
