import { useNavigate, useSearch } from '@tanstack/react-router'
import { type SyntheticEvent, useRef, useState } from 'react'
import { ApiError } from '../../../../../clients/typescript/src/index.ts'
import { useGet } from '../../../api/queries.ts'
import { useClient } from '../../../api/session.tsx'
import { useBodySchema } from '../../../forms/api-document.ts'
import type { JsonSchema } from '../../../forms/schema.ts'
import { useUnsavedChanges } from '../../../forms/unsaved.ts'
import { monthOf } from '../../../kernel/dates.ts'
import { useText } from '../../../kernel/text.tsx'
import { GROUP } from '../../../records/netting-resources.ts'
import { RecordsPicker } from '../../../records/record-picker.tsx'
import { Button, Notice } from '../../../ui/controls.tsx'
import { MonthField } from '../../../ui/date-field.tsx'
import { NativeField } from '../../../ui/inputs.tsx'
import { Loaded, Page, useErrorText } from '../../../ui/page.tsx'
import { ChangeEditor } from './change-editor.tsx'
import { changeFieldText } from './change-texts.ts'
import { LIST, ONE, useScenarioRefresh } from './data.ts'
import { bodyOf, type Draft, draftOf, useDraft } from './draft.ts'
import { ScenarioFrame } from './marking.tsx'
import { SCENARIO_PAGE_TEXTS as TEXTS } from './texts.ts'

const ROUTE = '/signed-in/netting/scenarios/new'

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
              isPlain={copy === undefined && group === undefined}
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

interface ScenarioFormProps {
  readonly schema: JsonSchema
  readonly start: Draft
  /** Whether the address names neither a group nor another scenario. */
  readonly isPlain: boolean
}

function ScenarioForm({ schema, start, isPlain }: ScenarioFormProps) {
  const t = useText()
  const { api } = useClient()
  const refresh = useScenarioRefresh()
  const navigate = useNavigate()
  const { draft, setDraft, isChanged, isKept, forget, ...earlier } = useDraft(start, isPlain)
  const form = useRef<HTMLFormElement>(null)
  useUnsavedChanges(form, isChanged, isKept)
  const [error, setError] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }))
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault()
    setSending(true)
    setError(undefined)
    try {
      const { data } = await api.post(LIST, { body: bodyOf(draft) })
      forget()
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
      <EarlierDraft {...earlier} />
      <form ref={form} className="card" id="scenario" onSubmit={(event) => void submit(event)}>
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
          <MonthField
            label={t(TEXTS.SCENARIOS_FROM())}
            value={draft.from}
            isRequired
            onChange={(from) => set({ from })}
          />
          <MonthField
            label={t(TEXTS.SCENARIOS_TO())}
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
      <ChangeEditor
        emptyText={TEXTS.SCENARIOS_NO_CHANGES()}
        schema={schema}
        changes={draft.changes}
        onChange={(changes) => set({ changes })}
      />
      {error !== undefined && <Failure error={error} />}
      <div>
        <Button type="submit" form="scenario" variant="primary" isDisabled={isSending || draft.groups === ''}>
          {t(TEXTS.SCENARIOS_CREATE())}
        </Button>
      </div>
    </>
  )
}

type EarlierDraftProps = Pick<ReturnType<typeof useDraft>, 'isResumed' | 'resume' | 'restart'>

/** That entries from before are shown again, or that there are some. */
function EarlierDraft({ isResumed, resume, restart }: EarlierDraftProps) {
  const t = useText()
  if (!isResumed && !resume) return null
  return (
    <Notice>
      <p>{t(isResumed ? TEXTS.SCENARIOS_RESUMED() : TEXTS.SCENARIOS_EARLIER())}</p>
      {isResumed ? (
        <Button onPress={restart}>{t(TEXTS.SCENARIOS_RESTART())}</Button>
      ) : (
        <Button onPress={resume ?? restart}>{t(TEXTS.SCENARIOS_RESUME())}</Button>
      )}
    </Notice>
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
