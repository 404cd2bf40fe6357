import { useNavigate, useSearch } from '@tanstack/react-router'
import { type SyntheticEvent, useState } from 'react'
import { ApiError } from '../../../../../clients/typescript/src/index.ts'
import { useGet } from '../../../api/queries.ts'
import { useClient } from '../../../api/session.tsx'
import { useBodySchema } from '../../../forms/api-document.ts'
import type { JsonSchema } from '../../../forms/schema.ts'
import { monthOf } from '../../../kernel/dates.ts'
import { useText } from '../../../kernel/text.tsx'
import { GROUP } from '../../../records/netting-resources.ts'
import { RecordsPicker } from '../../../records/record-picker.tsx'
import { Button, Notice } from '../../../ui/controls.tsx'
import { NativeField } from '../../../ui/inputs.tsx'
import { Loaded, Page, useErrorText } from '../../../ui/page.tsx'
import { ChangeEditor } from './change-editor.tsx'
import type { Change } from './change-form.ts'
import { changeFieldText } from './change-texts.ts'
import { LIST, ONE, type Scenario, useScenarioRefresh } from './data.ts'
import { ScenarioFrame } from './marking.tsx'
import { SCENARIO_PAGE_TEXTS as TEXTS } from './texts.ts'

const ROUTE = '/signed-in/netting/scenarios/new'

interface Draft {
  readonly name: string
  /** Ids, separated by commas. */
  readonly groups: string
  readonly from: string
  readonly to: string
  readonly cost: string
  readonly changes: readonly Change[]
}

/** A new scenario: for the group and the month of the address, or with the changes of another scenario. */
export function NewScenarioPage() {
  const t = useText()
  const { group, month = monthOf(Date.now()), copy } = useSearch({ from: ROUTE })
  const schema = useBodySchema('POST', LIST)
  const original = useGet(ONE, { path: { id: copy ?? '' } }, { enabled: copy !== undefined })
  const isReady = copy === undefined || original.data !== undefined
  const query = { ...schema, data: isReady ? schema.data : undefined, error: schema.error ?? original.error }
  return (
    <Page title={t(TEXTS.SCENARIOS_NEW())}>
      <ScenarioFrame>
        <Loaded query={query}>
          {(body) => (
            <ScenarioForm
              key={copy}
              schema={body.properties?.['changes']?.items ?? {}}
              start={
                original.data && copy !== undefined
                  ? draftOf(original.data)
                  : { name: '', groups: group ?? '', from: month, to: month, cost: '', changes: [] }
              }
            />
          )}
        </Loaded>
      </ScenarioFrame>
    </Page>
  )
}

const draftOf = ({ name, group_ids, from, to, cost_try, changes }: Scenario): Draft => ({
  name,
  groups: group_ids.join(', '),
  from: from.slice(0, 7),
  to: to.slice(0, 7),
  cost: cost_try ?? '',
  changes: changes as unknown as readonly Change[],
})

const bodyOf = ({ name, groups, from, to, cost, changes }: Draft) => ({
  name: name.trim(),
  group_ids: groups.split(', ').filter((id) => id !== ''),
  from,
  to,
  changes: changes as unknown as Scenario['changes'],
  ...(cost.trim() !== '' && { cost_try: cost.trim().replace(',', '.') }),
})

function ScenarioForm({ schema, start }: { readonly schema: JsonSchema; readonly start: Draft }) {
  const t = useText()
  const { api } = useClient()
  const refresh = useScenarioRefresh()
  const navigate = useNavigate()
  const [draft, setDraft] = useState(start)
  const [error, setError] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }))
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault()
    setSending(true)
    setError(undefined)
    try {
      const { data } = await api.post(LIST, { body: bodyOf(draft) })
      await refresh()
      await navigate({ to: '/netting/scenarios/$scenarioId', params: { scenarioId: data.id } })
    } catch (failure) {
      setError(failure)
    } finally {
      setSending(false)
    }
  }
  return (
    <>
      <form className="card" id="scenario" onSubmit={(event) => void submit(event)}>
        <h2>{t(TEXTS.SCENARIOS_BASE_OF())}</h2>
        <p className="muted">{t(TEXTS.SCENARIOS_BASE_HELP())}</p>
        <div className="form">
          <NativeField
            label={t(TEXTS.SCENARIOS_NAME())}
            type="text"
            value={draft.name}
            isRequired
            onChange={(name) => set({ name })}
          />
          <RecordsPicker
            label={t(TEXTS.SCENARIOS_GROUPS())}
            value={draft.groups}
            isRequired={false}
            reference={GROUP}
            onChange={(groups) => set({ groups })}
          />
          <NativeField
            label={t(TEXTS.SCENARIOS_FROM())}
            type="month"
            value={draft.from}
            isRequired
            onChange={(from) => set({ from })}
          />
          <NativeField
            label={t(TEXTS.SCENARIOS_TO())}
            type="month"
            value={draft.to}
            isRequired
            onChange={(to) => set({ to })}
          />
          <NativeField
            label={t(TEXTS.SCENARIOS_COST())}
            description={t(TEXTS.SCENARIOS_COST_HELP())}
            type="text"
            value={draft.cost}
            onChange={(cost) => set({ cost })}
          />
        </div>
      </form>
      <ChangeEditor schema={schema} changes={draft.changes} onChange={(changes) => set({ changes })} />
      {error !== undefined && <Failure error={error} />}
      <div>
        <Button type="submit" form="scenario" variant="primary" isDisabled={isSending || draft.groups === ''}>
          {t(TEXTS.SCENARIOS_CREATE())}
        </Button>
      </div>
    </>
  )
}

/** The text of an error; faults of changes with their positions and fields. */
function Failure({ error }: { readonly error: unknown }) {
  const t = useText()
  const errorText = useErrorText()
  const issues = error instanceof ApiError ? error.issues : []
  const faults = issues.map(({ loc: [, part, index, field], msg }) =>
    part === 'changes' && typeof index === 'number'
      ? t(
          TEXTS.SCENARIOS_FAULTS_OF({
            number: index + 1,
            text: field === undefined ? msg : `${changeFieldText(String(field), t)} – ${msg}`,
          }),
        )
      : `${part ?? ''}: ${msg}`,
  )
  return (
    <Notice tone="danger">
      {faults.length === 0 ? <p>{errorText(error)}</p> : faults.map((text) => <p key={text}>{text}</p>)}
    </Notice>
  )
}
