/**
 * Descriptions of fields that mean the same in every record. They are added to the OpenAPI document where a schema
 * describes the field itself no further.
 */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  abone_grubu: 'Subscriber group of the tariff.',
  address: 'Postal address.',
  admin: 'The first administrator.',
  approval_status: 'State of the approval.',
  billing_period: 'First day of the month (YYYY-MM-01).',
  city: 'City.',
  client_id: 'Client id at the message broker.',
  code: 'Short code.',
  description: 'Free text.',
  device_name: 'Name of the device.',
  device_role: 'Role of the device, such as inverter or charger.',
  device_source: 'How the values of the device arrive.',
  device_type: 'Type of device, such as energy_analyzer or inverter.',
  estimated_loss_or_risk: 'Estimate: what the members lose or risk.',
  estimated_savings: 'Estimate: what consumers need not buy.',
  firmware_version: 'Version of the firmware.',
  from: 'Start, inclusive.',
  gateway_type: 'Type of gateway.',
  gerilim_seviyesi: 'Voltage level: AG low, OG medium, YG high; null: all.',
  host: 'Host name or IP address.',
  interval: 'Length of the buckets.',
  inverter_type: 'Inverter at the grid or of a battery (ess).',
  is_active: 'Whether the record is in use.',
  is_online: 'Whether it is connected or sends values.',
  limit: 'Maximum number of records in the response.',
  mesken_monthly_amount: 'Matched energy of homes, by the month.',
  model: 'Model.',
  movement_type: 'Type of movement.',
  name: 'Name.',
  org_type: 'Type of organization.',
  port: 'TCP port.',
  price_purpose: 'What the price is used for.',
  producer_payment_for_bedelli_surplus: 'Payment to the producer for paid surplus.',
  protocol: 'Protocol of the devices.',
  protocols: 'Protocols of the devices.',
  serial_number: 'Serial number.',
  sktt_matched_consumption: 'Matched energy at the last-resource tariff.',
  source_note: 'Where the values come from.',
  status: 'State.',
  step_no: 'Step (kademe) of the price; null: any.',
  supplier_payment_for_matched_consumption: 'Payment of the suppliers for matched energy.',
  system_usage_fee_for_skb: 'System usage fee for over-limit surplus.',
  tariff_class: 'Class of the tariff.',
  tariff_code: 'Code of the tariff.',
  tenant: 'The tenant.',
  time_segment: 'Time of use; null: any.',
  to: 'End, exclusive.',
  unit: 'Unit, for information: prices are in TRY/kWh.',
  user: 'The user.',
  valid_from: 'First day of validity.',
  valid_to: 'Last day of validity; null: open.',
  vendor: 'Manufacturer.',
  year: 'Turkey-local calendar year.',
}

interface Schema {
  description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}
interface Parameter {
  readonly name: string
  description?: string
  readonly schema?: Schema
}
interface Body {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}
interface Operation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Body
  readonly responses?: Readonly<Record<string, Body>>
}

function describe(name: string, part: { description?: string }): void {
  const description = DESCRIPTIONS[name]
  if (part.description === undefined && description !== undefined) part.description = description
}

/** Adds the descriptions to the properties of a schema of the document. */
export function describeCommonFields(schema: Schema | undefined): void {
  if (!schema) return
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    describe(name, property)
    describeCommonFields(property)
  }
  describeCommonFields(schema.items)
  if (typeof schema.additionalProperties === 'object') describeCommonFields(schema.additionalProperties)
  for (const choice of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) describeCommonFields(choice)
}

/** Adds the descriptions to the parameters of an operation, and to bodies that are not named. */
export function describeCommonParameters({ parameters, requestBody, responses }: Operation): void {
  for (const parameter of parameters ?? [])
    if (parameter.schema?.description === undefined) describe(parameter.name, parameter)
  for (const body of [requestBody, ...Object.values(responses ?? {})])
    for (const { schema } of Object.values(body?.content ?? {})) describeCommonFields(schema)
}
