import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { NetsaatClient } from '../../../../clients/typescript/src/index.ts'
import type { ResponseOf } from '../../../../clients/typescript/src/operations.ts'
import { useGet } from '../../api/queries.ts'
import { useClient } from '../../api/session.tsx'
import { beginningOf, monthOf } from '../../kernel/dates.ts'
import { useText } from '../../kernel/text.tsx'
import { Notice } from '../../ui/controls.tsx'
import { Form } from '../../ui/form.tsx'
import { RecordSelect } from './record-select.tsx'
import { SETUP_TEXTS } from './texts.ts'

type Calculation = ResponseOf<'POST', '/api/mahsuplasma/groups/{id}/calculate'>
/** The longest range that one request rebuilds. */
const RANGE_MS = 7 * 24 * 3_600_000

/** The eligibility of a group and the first calculation of its current month. */
export function CalculationStep() {
  const t = useText()
  const { api } = useClient()
  const queries = useQueryClient()
  const groups = useGet('/api/mahsuplasma/groups', { query: { limit: 200 } })
  const [selected, setSelected] = useState('')
  const groupId = selected === '' ? (groups.data?.[0]?.id ?? '') : selected
  const [calculation, setCalculation] = useState<Calculation>()
  const submit = async () => {
    setCalculation(undefined)
    setCalculation(await calculateMonth(api, groupId))
    await queries.invalidateQueries()
  }
  return (
    <>
      <h2>{t(SETUP_TEXTS.SETUP_CALCULATION())}</h2>
      <p>{t(SETUP_TEXTS.SETUP_CALCULATION_PURPOSE())}</p>
      <Form submitText={t(SETUP_TEXTS.SETUP_CALCULATE())} onSubmit={submit}>
        <RecordSelect
          label={t(SETUP_TEXTS.SETUP_GROUP())}
          value={groupId}
          onChange={setSelected}
          records={groups.data ?? []}
        />
      </Form>
      {calculation && <Outcome groupId={groupId} calculation={calculation} />}
    </>
  )
}

/** Derives the hourly energy of every member, evaluates the rules and calculates the month so far. */
async function calculateMonth(api: NetsaatClient, groupId: string): Promise<Calculation> {
  const month = monthOf(Date.now())
  const path = { id: groupId }
  const members = (await api.get('/api/mahsuplasma/groups/{id}/members', { path })).data
  for (const { facility_id } of members)
    for (let from = beginningOf(month).getTime(); from < Date.now(); from += RANGE_MS)
      await api.post('/api/mahsuplasma/facilities/{id}/hourly-energy/rebuild', {
        path: { id: facility_id },
        body: {
          from_hour: new Date(from).toISOString(),
          to_hour: new Date(Math.min(from + RANGE_MS, Date.now())).toISOString(),
        },
      })
  await api.post('/api/mahsuplasma/groups/{id}/evaluate', { path })
  const { data } = await api.post('/api/mahsuplasma/groups/{id}/calculate', {
    path,
    body: { billing_period: month },
  })
  return data
}

/** Results of a blocking rule that keep a group from being valid. */
const OPEN: ReadonlySet<string> = new Set(['fail', 'not_checked'])

function Outcome({ groupId, calculation }: { readonly groupId: string; readonly calculation: Calculation }) {
  const t = useText()
  const rules = useGet('/api/mahsuplasma/groups/{id}/eligibility', { path: { id: groupId } })
  const failed = (rules.data?.rules ?? []).filter(
    ({ status, is_blocking }) => is_blocking && OPEN.has(status),
  )
  return (
    <>
      <Notice tone="success">
        <p>{t(SETUP_TEXTS.SETUP_CALCULATED({ count: calculation.hours_calculated }))}</p>
        <p>
          <Link to="/netting/groups/$groupId" params={{ groupId }}>
            {t(SETUP_TEXTS.SETUP_OPEN_GROUP())}
          </Link>
        </p>
      </Notice>
      {calculation.warnings.length > 0 && (
        <Notice tone="warning">
          <ul>
            {calculation.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Notice>
      )}
      {failed.length > 0 && (
        <Notice tone="warning">
          <p>{t(SETUP_TEXTS.SETUP_OPEN_RULES())}</p>
          <ul>
            {failed.map(({ code, message }) => (
              <li key={code}>
                {code}: {message}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  )
}
