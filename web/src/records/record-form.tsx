import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../clients/typescript/src/index.ts'
import { useBodySchema } from '../forms/api-document.ts'
import type { Method } from '../forms/body-schema.ts'
import { adviceOn, fieldErrorsOf } from '../forms/conflict.ts'
import type { ControlProps } from '../forms/control.ts'
import { EntryForm } from '../forms/entry-form.tsx'
import {
  bodyOf,
  changesOf,
  defaultTextsOf,
  type FieldValues,
  type JsonSchema,
  kindOf,
  NotJsonError,
  textsOf,
  wholeBodyOf,
} from '../forms/schema.ts'
import { SchemaFields } from '../forms/schema-fields.tsx'
import { FORM_TEXTS } from '../forms/texts.ts'
import { leaveFrom } from '../forms/unsaved.ts'
import { useText } from '../kernel/text.tsx'
import { Button, Notice } from '../ui/controls.tsx'
import { Loaded, useErrorText } from '../ui/page.tsx'
import { UI_TEXTS } from '../ui/texts.ts'
import { type AnyClient, callOf, useAnyClient } from './any-client.ts'
import { fieldText } from './field-texts.ts'
import { RecordPicker, RecordsPicker } from './record-picker.tsx'
import type { AnyRecord, Reference } from './resource.ts'
import { valueText } from './value-texts.ts'

/** The record that is changed, with the version that was read. */
export interface Original {
  readonly record: AnyRecord
  readonly etag: string | undefined
  /** Reads both again. */
  readonly read?: () => Promise<Omit<Original, 'read'>>
}

export interface RecordFormProps {
  readonly method: Method
  readonly path: string
  readonly parameters?: Readonly<Record<string, string>>
  readonly original?: Original | undefined
  /** Fields that are sent as they are and have no control. */
  readonly fixed?: Readonly<Record<string, unknown>> | undefined
  readonly references?: Readonly<Record<string, Reference>> | undefined
  /** Texts of the controls of a new record, besides the defaults of the schema. */
  readonly initial?: FieldValues | undefined
  /** Whether the request replaces the record, so that every field is sent; otherwise those that were changed. */
  readonly isReplacing?: boolean | undefined
  /** Fields that do not apply, by the present values of the others. */
  readonly isHidden?: ((name: string, values: FieldValues) => boolean) | undefined
  readonly submitText: string
  readonly onDone: (data: unknown) => void
  readonly onCancel?: (() => void) | undefined
}

/** A form for one operation: its controls come from the schema of the body, its errors are at their fields. */
export function RecordForm(props: RecordFormProps) {
  const query = useBodySchema(props.method, props.path)
  return (
    <Loaded query={query}>
      {(schema) => <LoadedForm {...props} schema={withoutFixed(schema, props.fixed)} />}
    </Loaded>
  )
}

function withoutFixed(schema: JsonSchema, fixed: RecordFormProps['fixed'] = {}): JsonSchema {
  const { properties = {} } = schema
  const entries = Object.entries(properties).filter(([name]) => !Object.hasOwn(fixed, name))
  return { ...schema, properties: Object.fromEntries(entries) }
}

interface Failure {
  readonly text: string
  readonly advice: string | undefined
  readonly fields: Readonly<Record<string, string>>
}

function LoadedForm(props: RecordFormProps & { readonly schema: JsonSchema }) {
  const t = useText()
  const { schema, references = {}, isHidden, submitText, onCancel } = props
  const { values, setValues, submit, isSending, failure } = useRecordForm(props)
  const controls = Object.fromEntries(
    Object.entries(references).map(([name, reference]) => [
      name,
      (control: ControlProps, field: JsonSchema) =>
        kindOf(field) === 'list' ? (
          <RecordsPicker {...control} reference={reference} />
        ) : (
          <RecordPicker {...control} reference={reference} />
        ),
    ]),
  )
  return (
    <EntryForm className="form" onSubmit={submit}>
      {failure && (
        <Notice tone="danger">
          <p>{failure.text}</p>
          {failure.advice !== undefined && <p>{failure.advice}</p>}
        </Notice>
      )}
      <SchemaFields
        schema={schema}
        values={values}
        onChange={setValues}
        labelOf={(name) => fieldText(name, t)}
        choiceText={(value) => valueText(value, t)}
        controls={controls}
        errors={failure?.fields}
        isHidden={isHidden}
        hasParts
      />
      <div className="row">
        <Button type="submit" variant="primary" isDisabled={isSending}>
          {submitText}
        </Button>
        {onCancel && (
          <Button onPress={(event) => leaveFrom(event, onCancel)}>{t(UI_TEXTS.UI_CANCEL())}</Button>
        )}
      </div>
    </EntryForm>
  )
}

function useRecordForm(props: RecordFormProps & { readonly schema: JsonSchema }) {
  const { schema, onDone } = props
  const t = useText()
  const { api } = useAnyClient()
  const queries = useQueryClient()
  const failureOf = useFailure()
  const [original, setOriginal] = useState(props.original)
  const before = original ? textsOf(schema, original.record) : { ...defaultTextsOf(schema), ...props.initial }
  const [values, setValues] = useState<FieldValues>(before)
  const [failure, setFailure] = useState<Failure>()
  const [isSending, setSending] = useState(false)
  const send = async () => {
    const body = bodyToSend(props, { before, values, isNew: original === undefined })
    if (original && Object.keys(body).length === 0) {
      setFailure({ text: t(FORM_TEXTS.FORM_NOTHING_CHANGED()), advice: undefined, fields: {} })
      return false
    }
    try {
      const data = await sendBody(api, props, { ...body, ...props.fixed }, original?.etag)
      await queries.invalidateQueries()
      onDone(data)
      return true
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412 || !props.original?.read) throw error
      const current = await props.original.read()
      const after = textsOf(schema, current.record)
      const changed = Object.keys(after).filter((name) => after[name] !== before[name])
      setOriginal({ ...current, read: props.original.read })
      // What the user has not touched becomes the present value.
      setValues((typed) =>
        Object.fromEntries(
          Object.entries(after).map(([name, text]) => [
            name,
            (typed[name] ?? '') === (before[name] ?? '') ? text : (typed[name] ?? ''),
          ]),
        ),
      )
      const fields = changed.map((name) => fieldText(name, t)).join(', ')
      const text = t(
        FORM_TEXTS.FORM_CHANGED_MEANWHILE({
          fields: fields === '' ? t(FORM_TEXTS.FORM_OTHER_FIELDS()) : fields,
        }),
      )
      setFailure({ text, advice: undefined, fields: {} })
      return false
    }
  }
  const submit = async () => {
    setSending(true)
    setFailure(undefined)
    try {
      return await send()
    } catch (error) {
      setFailure(failureOf(error))
      return false
    } finally {
      setSending(false)
    }
  }
  return { values, setValues, submit, isSending, failure }
}

interface Entries {
  readonly before: FieldValues
  readonly values: FieldValues
  readonly isNew: boolean
}

function bodyToSend(
  { schema, isHidden = () => false, isReplacing }: RecordFormProps & { readonly schema: JsonSchema },
  { before, values, isNew }: Entries,
): Record<string, unknown> {
  const { properties = {} } = schema
  const shown = {
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !isHidden(name, values))),
  }
  if (isReplacing) return wholeBodyOf(shown, values)
  if (!isNew) return changesOf(shown, before, values)
  // A default that was taken away is sent as well: `false` is another request than no value.
  const emptied = Object.entries(shown.properties).filter(
    ([name]) => (before[name] ?? '') !== '' && (values[name] ?? '') === '',
  )
  return {
    ...wholeBodyOf({ properties: Object.fromEntries(emptied) }, values),
    ...bodyOf(shown, values),
  }
}

async function sendBody(api: AnyClient, props: RecordFormProps, body: object, etag: string | undefined) {
  const { method, path, parameters = {}, schema } = props as RecordFormProps & { readonly schema: JsonSchema }
  const hasBody = Object.keys(schema.properties ?? {}).length > 0 || Object.keys(body).length > 0
  const { data } = await callOf(api, method)(path, {
    path: parameters,
    ...(hasBody && { body }),
    ...(etag !== undefined && { ifMatch: etag }),
  })
  return data
}

/** The texts of an error: of the whole form, of what to do, and of single fields. */
function useFailure(): (error: unknown) => Failure {
  const t = useText()
  const errorText = useErrorText()
  return (error) => {
    if (error instanceof NotJsonError)
      return {
        text: t(FORM_TEXTS.FORM_CHECK_FIELDS()),
        advice: undefined,
        fields: { [error.field]: t(FORM_TEXTS.FORM_NOT_JSON()) },
      }
    const fields = fieldErrorsOf(error)
    const advice = adviceOn(error)
    const hasFields = Object.keys(fields).length > 0
    return {
      text: hasFields ? t(FORM_TEXTS.FORM_CHECK_FIELDS()) : errorText(error),
      advice: advice && t(advice),
      fields,
    }
  }
}
