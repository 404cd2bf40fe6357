import { withoutReferences } from '../openapi.ts'
import { idsInPath } from './path-ids.ts'
import type { Kind } from './records.ts'

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}
interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: Schema
}
interface OperationObject {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses?: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, unknown>> } | undefined>
  >
}
export interface OpenapiDocument {
  readonly components?: { readonly schemas?: Readonly<Record<string, object>> }
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
}

/** An operation of the OpenAPI document with the fields of a request that look like an id of a record. */
export interface Operation {
  /** Method and route pattern: `PUT /api/users/:id`. */
  readonly key: string
  readonly method: string
  readonly url: string
  readonly queryIds: readonly string[]
  /** Paths in the body: `samples[].device_id`. */
  readonly bodyIds: readonly string[]
  /** Paths in the body where the schema permits any JSON, in which an id can be hidden. */
  readonly anyJson: readonly string[]
  /** Whether a successful response is not JSON. */
  readonly isFile: boolean
  readonly hasBody: boolean
}

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete'])
const ID_NAME = /(^|_)(id|ids|uid|uids|tag|tags|cpid|token|tokens|by)$/
const UUID_PATTERN = '{8}-['

const isUuid = ({ format, pattern }: Schema): boolean =>
  format === 'uuid' || (pattern?.includes(UUID_PATTERN) ?? false)
const leafOf = (path: string): string => /([^.[\]]+)(\[\])*$/.exec(path)?.[1] ?? path

/** Reports every leaf of a schema with its path. */
function visitLeaves(schema: Schema, path: string, report: (path: string, leaf: Schema) => void): void {
  if (schema.$ref !== undefined) throw new Error(`${path} has a $ref, which the walk does not follow`)
  const variants = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  for (const variant of variants) visitLeaves(variant, path, report)
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    visitLeaves(property, path === '' ? name : `${path}.${name}`, report)
  if (schema.items) visitLeaves(schema.items, `${path}[]`, report)
  const { additionalProperties } = schema
  if (typeof additionalProperties === 'object' && additionalProperties.properties)
    visitLeaves(additionalProperties, `${path}{}`, report)
  if (variants.length === 0 && !schema.properties && !schema.items) report(path, schema)
}

const permitsAnything = ({ type, enum: values, const: value, additionalProperties, format }: Schema) =>
  (type === undefined && values === undefined && value === undefined && format === undefined) ||
  ([type].flat().includes('object') && additionalProperties !== false)

function fieldsOf(schema: Schema) {
  const ids = new Set<string>()
  const anyJson = new Set<string>()
  visitLeaves(schema, '', (path, leaf) => {
    if (isUuid(leaf) || ID_NAME.test(leafOf(path))) ids.add(path)
    if (permitsAnything(leaf)) anyJson.add(path)
  })
  return { ids: [...ids], anyJson: [...anyJson] }
}

const isFileResponse = ({ responses = {} }: OperationObject): boolean =>
  Object.entries(responses).some(
    ([status, response]) =>
      status.startsWith('2') && Object.keys(response?.content ?? {}).some((type) => !type.includes('json')),
  )

/** Every operation of the document, those without ids included. */
export function readOperations(document: OpenapiDocument): Operation[] {
  const { paths } = withoutReferences(document)
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]) => {
        const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
        const bodies = Object.values(operation.requestBody?.content ?? {}).map(({ schema }) =>
          fieldsOf(schema),
        )
        const queries = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
        return {
          key: `${method.toUpperCase()} ${url}`,
          method: method.toUpperCase(),
          url,
          queryIds: queries
            .filter(({ name, schema }) => isUuid(schema) || ID_NAME.test(name))
            .map(({ name }) => name),
          bodyIds: [...new Set(bodies.flatMap(({ ids }) => ids))],
          anyJson: [...new Set(bodies.flatMap(({ anyJson }) => anyJson))],
          isFile: isFileResponse(operation),
          hasBody: operation.requestBody !== undefined,
        }
      }),
  )
}

/** Every field of an operation in which a request can name a record: `PUT /api/users/:id body.role_ids[]`. */
export const idFieldsOf = ({ key, url, queryIds, bodyIds }: Operation): string[] => [
  ...idsInPath(url).map((name) => `${key} path.${name}`),
  ...queryIds.filter((name) => kindOf(key, name)).map((name) => `${key} query.${name}`),
  ...bodyIds.filter((path) => kindOf(key, path)).map((path) => `${key} body.${path}`),
]

/** Fields that look like an id and refer to no record of a tenant, by operation or for all of them. */
const NO_REFERENCES: Readonly<Record<string, string>> = {
  slave_id: 'address of a Modbus device',
  unit_id: 'address of a Modbus device',
  connector_id: 'number of a connector of the charger in the path',
  evse_connector_id: 'number of a connector of the charger in the path',
  evse_id: 'number of an EVSE of the charger in the path',
  vendor_id: 'name of a manufacturer',
  message_id: 'name of a message of a manufacturer',
  request_id: 'number of a report of the charger in the path, or a text in the change log',
  resource_id: 'text in the change log of the own tenant',
  api_key_id: 'text in the change log of the own tenant',
  'GET /api/v1/admin/tenants/:id/changes user_id': 'for superusers, who read every tenant',
  client_id: 'name of an MQTT client, which is stored only',
  transaction_id: 'name of a transaction of the charger in the path',
  signup_id: 'a signup that no tenant exists for yet; it is answered like an unknown one',
  token: 'secret of a mail',
  'POST /api/mahsuplasma/history tenant_id': 'a tenant that only a superuser may name',
  'POST /api/mahsuplasma/history/calculate tenant_id': 'a tenant that only a superuser may name',
  refresh_token: 'secret of a login',
  mfa_token: 'secret of a login',
  bot_token: 'secret of a bot of Telegram',
  chat_id: 'chat of Telegram',
  sort_by: 'name of a field',
  calculation_run_id: 'filter of the movements of the account in the path',
  'POST /api/ocpp/chargers cpid': 'name of the new charger, unique in the service (409)',
  'POST /api/ocpp/id-tags tag': 'name of the new tag',
  'PUT /api/ocpp/id-tags/:id tag': 'name of the tag in the path',
}

const ORGANIZATION =
  /^(grid_operator|distribution_company|retail_or_zone_operator|meter_reading_org|supplier|responsible_supplier)_id$/

/** By operation and field, or by field for all operations: the kind of record that the field refers to. */
const KINDS: Readonly<Record<string, Kind>> = {
  role_ids: 'role',
  region_id: 'region',
  subregion_id: 'subregion',
  widget_id: 'widget',
  device_id: 'device',
  device_ids: 'device',
  gateway_id: 'modbus_gateway',
  gateway_ids: 'mqtt_gateway',
  mqtt_gateway_id: 'mqtt_gateway',
  template_id: 'template',
  parent_id: 'device',
  policy_id: 'policy',
  incident_id: 'incident',
  user_id: 'user',
  role_id: 'role',
  channel_id: 'channel',
  escalation_policy_id: 'escalation_policy',
  scope_id: 'scope',
  group_ids: 'netting_group',
  facility_id: 'facility',
  facility_ids: 'facility',
  producer_id: 'facility',
  consumer_id: 'facility',
  'POST /api/mahsuplasma/scenarios group_id': 'netting_group',
  'POST /api/mahsuplasma/scenarios from_group_id': 'netting_group',
  'POST /api/mahsuplasma/scenarios source_facility_id': 'facility',
  'POST /api/mahsuplasma/scenarios target_facility_id': 'facility',
  'POST /api/mahsuplasma/sizings group_id': 'netting_group',
  'POST /api/mahsuplasma/sizings from_group_id': 'netting_group',
  'POST /api/mahsuplasma/sizings source_facility_id': 'facility',
  'POST /api/mahsuplasma/sizings target_facility_id': 'facility',
  'GET /api/mahsuplasma/scenarios/comparison ids': 'scenario',
  'GET /api/mahsuplasma/scenarios/:id/months group_id': 'netting_group',
  'GET /api/mahsuplasma/scenarios/:id/members group_id': 'netting_group',
  'GET /api/mahsuplasma/scenarios/:id/hours group_id': 'netting_group',
  'GET /api/mahsuplasma/invoice-checks group_id': 'netting_group',
  'GET /api/mahsuplasma/invoice-checks/:id/comparison with': 'invoice_check',
  metering_point_id: 'metering_point',
  installation_id: 'osos_installation',
  osos_installation_id: 'osos_installation',
  source_account_id: 'limit_account',
  target_account_id: 'second_limit_account',
  point_id: 'loto_point',
  point_ids: 'loto_point',
  session_id: 'charging_session',
  requested_by: 'user',
  firmware_version_id: 'firmware',
  batch_id: 'ota_batch',
  charger_id: 'charger',
  tag_ids: 'id_tag',
  id_tag: 'tag',
  parent_tag: 'tag',
  cpid: 'cpid',
  tag: 'tag',
  'GET /api/gateways/dead-letters gateway_id': 'mqtt_gateway',
  'POST /api/gateways/dead-letters/retry gateway_id': 'mqtt_gateway',
  'POST /api/loto/locks session_id': 'loto_session',
  'POST /api/mahsuplasma/inverter-type/apply device_id': 'inverter',
  'POST /api/ota/updates gateway_id': 'mqtt_gateway',
  'GET /api/ota/updates gateway_id': 'mqtt_gateway',
  'POST /api/ota/updates device_id': 'updated_device',
  'GET /api/ota/updates device_id': 'updated_device',
  'POST /api/ota/updates/batch device_ids': 'updated_device',
  'GET /api/ocpp/id-tags parent_id': 'id_tag',
  'POST /api/ocpp/id-tags parent_id': 'id_tag',
  'PUT /api/ocpp/id-tags/:id parent_id': 'id_tag',
}

/** The kind of record that a field refers to; undefined when it refers to none; throws for an unknown field. */
export function kindOf(key: string, path: string): Kind | undefined {
  const name = leafOf(path)
  const specific = `${key} ${name}`
  if (NO_REFERENCES[specific] ?? NO_REFERENCES[name]) return undefined
  const kind = KINDS[specific] ?? KINDS[name] ?? (ORGANIZATION.test(name) ? 'organization' : undefined)
  if (!kind) throw new Error(`${specific} is a field that the tenancy walk does not know: add it to KINDS`)
  return kind
}

/** Fields for any JSON, with the reason why the service follows no id in them, or how the walk covers them. */
export const ANY_JSON: Readonly<Record<string, string>> = {
  'POST /api/gateways config': 'stored for the gateway',
  'PUT /api/gateways/:id config': 'stored for the gateway',
  'POST /api/devices extra_metadata': 'stored for the client',
  'PUT /api/devices/:id extra_metadata': 'stored for the client',
  'POST /api/widgets config': 'device_id and device_ids are walked; other ids are stored for the client',
  'PUT /api/widgets/:id config': 'device_id and device_ids are walked; other ids are stored for the client',
  'POST /api/devices/device-templates register_map': 'registers and their conversion',
  'PUT /api/devices/device-templates/:id register_map': 'registers and their conversion',
  'POST /api/devices/device-templates/import document': 'a template with its register map',
  'PUT /api/devices/device-templates/:id/register-map poll_groups': 'intervals by name',
  'PUT /api/devices/device-templates/:id/register-map registers[].enum': 'texts by number',
  'PUT /api/devices/device-templates/:id/register-map tests[].message': 'a message of a device',
  'PUT /api/devices/device-templates/:id/register-map tests[].expect': 'values by metric',
  'POST /api/devices/device-templates/run-frames poll_groups': 'intervals by name',
  'POST /api/devices/device-templates/run-frames registers[].enum': 'texts by number',
  'POST /api/devices/device-templates/run-frames tests[].message': 'a message of a device',
  'POST /api/devices/device-templates/run-frames tests[].expect': 'values by metric',
  'POST /api/measurements samples[].values': 'values by metric',
  'POST /api/ocpp/chargers/:id/commands data': 'passed to the station',
  'POST /api/internal/gateway/connected ': 'a webhook of the broker, which names the login of a gateway',
  'POST /api/internal/gateway/disconnected ': 'a webhook of the broker, which names the login of a gateway',
}
