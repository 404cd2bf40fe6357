import { withoutReferences } from './openapi.ts'

interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly allOf?: readonly Schema[]
}

export interface ListsDocument {
  readonly paths: Readonly<
    Record<
      string,
      {
        readonly get?: {
          readonly parameters?: readonly { readonly name: string; readonly in: string }[]
          readonly responses: Readonly<
            Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
          >
        }
      }
    >
  >
}

/** An operation that returns pages of records: in the envelope, or a plain array. */
export interface ListOperation {
  readonly key: string
  readonly url: string
  readonly query: readonly string[]
  /** The fields of a record that name it for people. */
  readonly nameFields: readonly string[]
}

const NAMES = new Set(
  `name full_name email title friendly_name gateway_name device_name policy_name tag cpid file_name serial_number
  supplier meter_no installation_no old_serial_no new_serial_no resource_name`.split(/\s+/),
)

const propertiesOf = (schema: Schema | undefined): Readonly<Record<string, Schema>> => ({
  ...schema?.properties,
  ...Object.assign({}, ...(schema?.allOf ?? []).map(propertiesOf)),
})

const itemsOf = (schema: Schema | undefined): Schema | undefined =>
  schema?.type === 'array' ? schema.items : propertiesOf(schema)['items']?.items

/** Every list of the API. Operations without the parameter `limit` return the parts of one record. */
export function readLists(document: ListsDocument): ListOperation[] {
  return Object.entries(withoutReferences(document).paths).flatMap(([path, { get }]) => {
    const query = (get?.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name)
    const item = itemsOf(get?.responses['200']?.content?.['application/json']?.schema)
    if (!item || !query.includes('limit')) return []
    const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
    const nameFields = Object.keys(propertiesOf(item)).filter((field) => NAMES.has(field))
    return [{ key: `GET ${url}`, url, query, nameFields }]
  })
}
