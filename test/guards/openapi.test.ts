import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { OPENAPI_FILE, openapiDocument, openapiText } from '../../tools/openapi-document.ts'
import { withoutReferences } from '../support/openapi.ts'

/** Names that need no description anywhere. The list may only shrink. */
const SELF_EXPLAINING = new Set(
  `abone_grubu address admin billing_period city code description device_name device_role device_source device_type
  firmware_version gateway_type host interval inverter_type is_active is_online model movement_type name org_type
  port price_purpose protocol protocols serial_number source_note status step_no tariff_class tariff_code tenant
  time_segment unit user valid_from valid_to vendor year gerilim_seviyesi client_id from to limit approval_status
  supplier_payment_for_matched_consumption producer_payment_for_bedelli_surplus system_usage_fee_for_skb
  sktt_matched_consumption mesken_monthly_amount estimated_savings estimated_loss_or_risk`.split(/\s+/),
)

interface Schema {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
}
interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}
interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly security?: readonly unknown[]
  readonly parameters?: readonly { name: string; description?: string; schema?: Schema }[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content & { readonly description?: string }>>
}
interface Document {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

let document: Document
/** The same document without references. */
let resolved: Document
let operations: { name: string; operation: Operation }[]
beforeAll(async () => {
  document = (await openapiDocument()) as Document
  resolved = withoutReferences(document)
  operations = Object.entries(resolved.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  )
})

function* undescribed(schema: Schema | undefined): Generator<string> {
  if (!schema) return
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (!property.description) yield name
    yield* undescribed(property)
  }
  yield* undescribed(schema.items)
  if (typeof schema.additionalProperties === 'object') yield* undescribed(schema.additionalProperties)
  for (const one of schema.anyOf ?? []) yield* undescribed(one)
}

const schemasOf = ({ requestBody, responses }: Operation): Schema[] =>
  [requestBody, ...Object.values(responses)].flatMap((part) =>
    Object.values(part?.content ?? {}).flatMap(({ schema }) => schema ?? []),
  )

describe('the OpenAPI document', () => {
  it('equals the committed one (update it with `npm run openapi`)', async () => {
    expect(operations.length).toBeGreaterThan(70)
    const committed = await readFile(OPENAPI_FILE, 'utf8')
    expect(openapiText(document) === committed, 'run `npm run openapi` and read its diff').toBe(true)
  })

  it('names every operation once, with a tag and a summary', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(ids.filter((id, index) => !id || ids.indexOf(id) !== index)).toEqual([])
    const bare = operations.filter(({ operation }) => !operation.summary || !operation.tags?.length)
    expect(bare.map(({ name }) => name)).toEqual([])
  })

  it('describes every response, including errors', () => {
    const lacking = operations.filter(({ operation: { responses, security } }) => {
      const isPublic = security?.length === 0
      const statuses = Object.keys(responses)
      const hasAll = ['429', '500', ...(isPublic ? [] : ['401'])].every((status) => statuses.includes(status))
      const isDescribed = Object.values(responses).every(
        ({ description }) => description && description !== 'Default Response',
      )
      return !hasAll || !isDescribed || !statuses.some((status) => status.startsWith('2'))
    })
    expect(lacking.map(({ name }) => name)).toEqual([])
  })

  it('describes every property and parameter whose name does not explain itself', () => {
    const found = new Set<string>()
    const undescribedFields: string[] = []
    for (const { name, operation } of operations) {
      const parameters = (operation.parameters ?? []).filter(
        ({ description, schema }) => !description && !schema?.description,
      )
      const names = [
        ...parameters.map((parameter) => parameter.name),
        ...schemasOf(operation).flatMap((schema) => [...undescribed(schema)]),
      ]
      for (const property of names) {
        found.add(property)
        if (!SELF_EXPLAINING.has(property)) undescribedFields.push(`${property} in ${name}`)
      }
    }
    expect(undescribedFields).toEqual([])
    expect(
      [...SELF_EXPLAINING].filter((word) => !found.has(word)),
      'these names have a description now: remove them from the list',
    ).toEqual([])
  })
})
