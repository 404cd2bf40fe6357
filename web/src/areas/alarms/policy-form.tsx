import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BodyOf, ResponseOf } from '../../../../clients/typescript/src/operations.ts'
import { useClient } from '../../api/session.tsx'
import { useText } from '../../kernel/text.tsx'
import { DEVICE } from '../../records/plant-resources.ts'
import { RecordPicker } from '../../records/record-picker.tsx'
import { useAction } from '../../ui/action.tsx'
import { Button, Select, TextField } from '../../ui/controls.tsx'
import { Form } from '../../ui/form.tsx'
import { NativeField } from '../../ui/inputs.tsx'
import { PolicyPreview } from './policy-preview.tsx'
import { OPERATORS, type Operator, type Policy, SEVERITIES } from './policy-states.ts'
import { POLICY_TEXTS } from './policy-texts.ts'

type Preview = ResponseOf<'POST', '/api/alarms/preview'>
const DAYS_MAX = 90

interface Fields {
  readonly name: string
  readonly metric: string
  readonly operator: Operator
  readonly threshold: string
  readonly delayOn: string
  readonly delayOff: string
  readonly severity: Policy['severity']
  readonly deviceId: string
  readonly days: string
}
const EMPTY: Fields = {
  ...{ name: '', metric: 'active_power', operator: 'gt', threshold: '', severity: 'warning' },
  ...{ delayOn: '0', delayOff: '0', deviceId: '', days: '30' },
}

/** The policy of the fields. The threshold stays text, as it was entered. */
const policyOf = (fields: Fields) =>
  ({
    name: fields.name.trim(),
    alarm_type: 'threshold',
    metric: fields.metric.trim(),
    operator: fields.operator,
    threshold: fields.threshold.trim().replace(',', '.'),
    delay_on_s: Number(fields.delayOn),
    delay_off_s: Number(fields.delayOff),
    device_id: fields.deviceId === '' ? null : fields.deviceId,
  }) satisfies BodyOf<'POST', '/api/alarms/preview'>['policy']

/** A new policy with a threshold. Before it is created, it is tried on the samples of the last days. */
export function PolicyForm() {
  const t = useText()
  const { api } = useClient()
  const queries = useQueryClient()
  const [fields, setFields] = useState(EMPTY)
  const [preview, setPreview] = useState<Preview>()
  const { run, isRunning, notice } = useAction(['/api/alarms'])
  const show = async () => {
    setPreview(undefined)
    const body = { policy: policyOf(fields), days: Number(fields.days) }
    setPreview((await api.post('/api/alarms/preview', { body })).data)
  }
  const create = () =>
    run(async () => {
      const body = { ...policyOf(fields), severity: fields.severity }
      const { data } = await api.post('/api/alarms', { body })
      setFields(EMPTY)
      setPreview(undefined)
      await queries.invalidateQueries({ queryKey: ['/api/alarms'] })
      return t(POLICY_TEXTS.POLICIES_CREATED({ name: data.name }))
    })
  return (
    <section className="card">
      <h2>{t(POLICY_TEXTS.POLICIES_NEW())}</h2>
      {notice}
      <Form submitText={t(POLICY_TEXTS.POLICIES_PREVIEW())} onSubmit={show} isStoring={false}>
        <PolicyFields
          fields={fields}
          onChange={(change) => {
            setFields({ ...fields, ...change })
            // It would be that of another policy.
            setPreview(undefined)
          }}
        />
      </Form>
      {preview && (
        <>
          <PolicyPreview preview={preview} />
          <div className="row">
            <Button variant="primary" isDisabled={isRunning} onPress={() => void create()}>
              {t(POLICY_TEXTS.POLICIES_CREATE())}
            </Button>
          </div>
        </>
      )}
    </section>
  )
}

interface PolicyFieldsProps {
  readonly fields: Fields
  readonly onChange: (change: Partial<Fields>) => void
}

function PolicyFields({ fields, onChange }: PolicyFieldsProps) {
  const t = useText()
  const choices = <Value extends string>(
    states: Readonly<Record<Value, { text: typeof POLICY_TEXTS.POLICIES }>>,
  ) =>
    (Object.entries(states) as [Value, { text: typeof POLICY_TEXTS.POLICIES }][]).map(
      ([value, { text }]) => ({
        value,
        text: t(text()),
      }),
    )
  return (
    <>
      <TextField
        label={t(POLICY_TEXTS.POLICIES_NAME())}
        value={fields.name}
        onChange={(name) => onChange({ name })}
        isRequired
      />
      <RecordPicker
        label={t(POLICY_TEXTS.POLICIES_DEVICE())}
        value={fields.deviceId}
        reference={DEVICE}
        isRequired={false}
        placeholder={t(POLICY_TEXTS.POLICIES_EVERY_DEVICE())}
        onChange={(deviceId) => onChange({ deviceId })}
      />
      <TextField
        label={t(POLICY_TEXTS.POLICIES_METRIC())}
        value={fields.metric}
        onChange={(metric) => onChange({ metric })}
        isRequired
      />
      <Select
        label={t(POLICY_TEXTS.POLICIES_OPERATOR())}
        value={fields.operator}
        onChange={(operator) => onChange({ operator })}
        options={choices(OPERATORS)}
      />
      <TextField
        label={t(POLICY_TEXTS.POLICIES_THRESHOLD())}
        value={fields.threshold}
        onChange={(threshold) => onChange({ threshold })}
        isRequired
      />
      <NumberField
        label={t(POLICY_TEXTS.POLICIES_DELAY_ON())}
        value={fields.delayOn}
        onChange={(delayOn) => onChange({ delayOn })}
      />
      <NumberField
        label={t(POLICY_TEXTS.POLICIES_DELAY_OFF())}
        value={fields.delayOff}
        onChange={(delayOff) => onChange({ delayOff })}
      />
      <Select
        label={t(POLICY_TEXTS.POLICIES_SEVERITY())}
        value={fields.severity}
        onChange={(severity) => onChange({ severity })}
        options={choices(SEVERITIES)}
      />
      <NumberField
        label={t(POLICY_TEXTS.POLICIES_DAYS())}
        value={fields.days}
        min={1}
        max={DAYS_MAX}
        onChange={(days) => onChange({ days })}
      />
    </>
  )
}

interface NumberFieldProps {
  readonly label: string
  readonly value: string
  readonly min?: number
  readonly max?: number
  readonly onChange: (value: string) => void
}

const NumberField = ({ min = 0, ...field }: NumberFieldProps) => (
  <NativeField {...field} min={min} type="number" isRequired />
)
