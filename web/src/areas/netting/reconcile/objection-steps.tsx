import { useState } from 'react'
import { useCan, useClient } from '../../../api/session.tsx'
import { formatDay } from '../../../kernel/dates.ts'
import { dayOf } from '../../../kernel/day-range.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { useAction } from '../../../ui/action.tsx'
import { Select, TextField } from '../../../ui/controls.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { DateField } from '../../../ui/date-field.tsx'
import { Form } from '../../../ui/form.tsx'
import { NativeField } from '../../../ui/inputs.tsx'
import { UI_TEXTS } from '../../../ui/texts.ts'
import { ExactMoney } from '../../../ui/value.tsx'
import { CHECKS, STATUSES, StatusText } from './check-list.tsx'
import { CHECK_TEXTS as TEXTS } from './check-texts.ts'
import type { StoredCheck } from './check-view.tsx'

/** What happened with the objection, and the form for what happens next. */
export function ObjectionSteps({ check }: { readonly check: StoredCheck }) {
  const t = useText()
  const { language } = useLanguage()
  const can = useCan()
  return (
    <>
      <DataTable
        report={{ list: 'invoice_objection_steps', query: { id: check.id } }}
        caption={t(TEXTS.CHECKS_STEPS())}
        rows={check.steps}
        keyOf={({ id }) => id}
        empty={t(UI_TEXTS.UI_NONE())}
        columns={[
          {
            id: 'status',
            title: t(TEXTS.CHECKS_STATE()),
            cell: ({ status }) => <StatusText status={status} />,
          },
          { id: 'on', title: t(TEXTS.CHECKS_STEP_ON()), cell: ({ on }) => formatDay(on, language) },
          {
            id: 'amount',
            title: t(TEXTS.CHECKS_CLAIM()),
            isNumber: true,
            cell: ({ amount_try }) => <ExactMoney value={amount_try} />,
          },
          { id: 'note', title: t(TEXTS.CHECKS_STEP_NOTE()), cell: ({ note }) => note ?? '' },
        ]}
      />
      {can('manage:netting') && <StepForm key={check.steps.length} check={check} />}
    </>
  )
}

function StepForm({ check }: { readonly check: StoredCheck }) {
  const t = useText()
  const { api } = useClient()
  const { run, notice } = useAction([CHECKS, `${CHECKS}/{id}`])
  const [status, setStatus] = useState<(typeof STATUSES)[number]>(
    check.objection_status === 'open' ? 'sent' : 'settled',
  )
  const [on, setOn] = useState(dayOf(Date.now()))
  const [amount, setAmount] = useState('')
  const [note, setNote] = useState('')
  const texts = {
    open: TEXTS.CHECKS_OPEN(),
    sent: TEXTS.CHECKS_SENT(),
    answered: TEXTS.CHECKS_ANSWERED(),
    settled: TEXTS.CHECKS_SETTLED(),
  }
  const save = () =>
    run(async () => {
      const optional = { ...(amount !== '' && { amount_try: amount }), ...(note !== '' && { note }) }
      await api.post(`${CHECKS}/{id}/objection-steps`, {
        path: { id: check.id },
        body: { status, on, ...optional },
      })
      return undefined
    })
  return (
    <>
      <Form submitText={t(TEXTS.CHECKS_STEP_SAVE())} onSubmit={save}>
        <Select
          label={t(TEXTS.CHECKS_STEP_NEXT())}
          value={status}
          onChange={setStatus}
          options={STATUSES.map((value) => ({ value, text: t(texts[value]) }))}
        />
        <DateField label={t(TEXTS.CHECKS_STEP_ON())} value={on} onChange={setOn} isRequired />
        <NativeField
          label={t(TEXTS.CHECKS_STEP_AMOUNT())}
          type="number"
          step="any"
          min={0}
          value={amount}
          onChange={setAmount}
        />
        <TextField label={t(TEXTS.CHECKS_STEP_NOTE())} value={note} onChange={setNote} />
      </Form>
      {notice}
    </>
  )
}
