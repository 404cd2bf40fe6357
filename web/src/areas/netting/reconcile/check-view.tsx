import { useState } from 'react'
import type { ResponseOf } from '../../../../../clients/typescript/src/operations.ts'
import { useGet } from '../../../api/queries.ts'
import { useCan, useClient } from '../../../api/session.tsx'
import { formatDay } from '../../../kernel/dates.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { useAction } from '../../../ui/action.tsx'
import { Button, Notice } from '../../../ui/controls.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { DateField } from '../../../ui/date-field.tsx'
import { DetailList } from '../../../ui/detail-list.tsx'
import { DownloadButton } from '../../../ui/download.tsx'
import { Form } from '../../../ui/form.tsx'
import { Loaded } from '../../../ui/page.tsx'
import { UI_TEXTS } from '../../../ui/texts.ts'
import { ExactMoney } from '../../../ui/value.tsx'
import { CHECKS, StatusText } from './check-list.tsx'
import { CHECK_TEXTS as TEXTS } from './check-texts.ts'
import { ObjectionSteps } from './objection-steps.tsx'
import { Report } from './report.tsx'

const ONE = '/api/mahsuplasma/invoice-checks/{id}'
export type StoredCheck = ResponseOf<'GET', typeof ONE>

interface CheckViewProps {
  readonly id: string
  readonly onOpen: (id: string) => void
  readonly onClose: () => void
}

/** A stored check: its term, its objection and its report. */
export function CheckView({ id, onOpen, onClose }: CheckViewProps) {
  const t = useText()
  const query = useGet(ONE, { path: { id } })
  return (
    <section className="stack">
      <div>
        <Button onPress={onClose}>{t(TEXTS.CHECKS_CLOSE())}</Button>
      </div>
      <Loaded query={query}>
        {(check) => (
          <>
            <Head check={check} onOpen={onOpen} onClose={onClose} />
            {check.repeats !== null && <Changes id={check.id} />}
            <Report report={check.report} name={check.file_name} />
          </>
        )}
      </Loaded>
    </section>
  )
}

function Head({ check, onOpen, onClose }: { readonly check: StoredCheck } & Omit<CheckViewProps, 'id'>) {
  const t = useText()
  const { language } = useLanguage()
  const { api } = useClient()
  const can = useCan()
  const path = { id: check.id }
  const { run, isRunning, notice } = useAction([CHECKS, ONE])
  // The deleted check is still shown when its removal ends: it is not read again.
  const removal = useAction([CHECKS])
  const { received_from: from } = check
  return (
    <section className="card" aria-label={check.file_name}>
      <h2>{check.file_name}</h2>
      {check.is_stale && <Notice tone="warning">{t(TEXTS.CHECKS_STALE())}</Notice>}
      <DetailList
        entries={[
          [
            t(TEXTS.CHECKS_RECEIVED()),
            [
              formatDay(check.received_on, language),
              from === 'invoice' && t(TEXTS.CHECKS_RECEIVED_FROM_INVOICE()),
              from === 'check' && t(TEXTS.CHECKS_RECEIVED_FROM_CHECK()),
            ]
              .filter(Boolean)
              .join(' · '),
          ],
          [t(TEXTS.CHECKS_DUE()), formatDay(check.objection_due_on, language)],
          [t(TEXTS.CHECKS_REMINDER()), formatDay(check.objection_reminder_on, language)],
          [t(TEXTS.CHECKS_STATE()), <StatusText key="state" status={check.objection_status} />],
          [t(TEXTS.CHECKS_CLAIM()), <ExactMoney key="claim" value={check.claim_try} />],
        ]}
      />
      <div className="row">
        {check.differing > 0 && (
          <DownloadButton
            label={t(TEXTS.CHECKS_GET_OBJECTION())}
            name="itiraz.pdf"
            read={() => api.get(`${ONE}/objection`, { path })}
          />
        )}
        <DownloadButton
          label={t(TEXTS.CHECKS_GET_REPORT())}
          name="invoice-check.xlsx"
          read={() => api.get(`${ONE}/report`, { path, query: { format: 'xlsx' } })}
        />
        <DownloadButton
          label={t(TEXTS.CHECKS_GET_FILE())}
          name={check.file_name}
          read={() => api.get(`${ONE}/file`, { path })}
        />
        {can('manage:netting') && (
          <>
            <Button
              isDisabled={isRunning}
              onPress={() =>
                void run(async () => {
                  const { data } = await api.post(`${ONE}/repeat`, { path })
                  onOpen(data.id)
                  return undefined
                })
              }
            >
              {t(TEXTS.CHECKS_REPEAT())}
            </Button>
            <Button
              isDisabled={removal.isRunning}
              onPress={() =>
                void removal.run(async () => {
                  await api.delete(ONE, { path })
                  onClose()
                  return undefined
                })
              }
            >
              {t(TEXTS.CHECKS_DELETE())}
            </Button>
          </>
        )}
      </div>
      {notice ?? removal.notice}
      {can('manage:netting') && <Receipt key={check.received_on} check={check} />}
      <ObjectionSteps check={check} />
    </section>
  )
}

/** The day of receipt, from which the term runs. */
function Receipt({ check }: { readonly check: StoredCheck }) {
  const t = useText()
  const { api } = useClient()
  const { run, notice } = useAction([CHECKS, ONE])
  const [day, setDay] = useState(check.received_on)
  return (
    <>
      <Form
        submitText={t(TEXTS.CHECKS_SAVE_RECEIVED())}
        onSubmit={() =>
          run(async () => {
            await api.patch(`${ONE}/objection`, { path: { id: check.id }, body: { received_on: day } })
            return undefined
          })
        }
      >
        <DateField label={t(TEXTS.CHECKS_RECEIVED())} value={day} onChange={setDay} isRequired />
      </Form>
      {notice}
    </>
  )
}

/** What a repeated check finds in another way than the one before. */
function Changes({ id }: { readonly id: string }) {
  const t = useText()
  const query = useGet(`${ONE}/comparison`, { path: { id } })
  const side = (verdict: string | null, claim: string | null) => (
    <>
      {verdict ?? t(UI_TEXTS.UI_NONE())} {claim !== null && <ExactMoney value={claim} />}
    </>
  )
  return (
    <Loaded query={query}>
      {({ lines }) => (
        <DataTable
          report={{ list: 'invoice_check_changes', query: { id } }}
          caption={t(TEXTS.CHECKS_CHANGES({ count: lines.length }))}
          rows={lines}
          keyOf={({ line, key, description }) => `${line} ${key} ${description}`}
          empty={t(UI_TEXTS.UI_NONE())}
          columns={[
            {
              id: 'line',
              title: t(TEXTS.CHECKS_FILE()),
              cell: ({ line, description }) => `${line} ${description}`,
            },
            {
              id: 'before',
              title: t(TEXTS.CHECKS_BEFORE()),
              cell: (row) => side(row.before_verdict, row.before_claim_try),
            },
            {
              id: 'after',
              title: t(TEXTS.CHECKS_AFTER()),
              cell: (row) => side(row.after_verdict, row.after_claim_try),
            },
          ]}
        />
      )}
    </Loaded>
  )
}
