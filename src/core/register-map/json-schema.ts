import {
  BUS_FIELDS,
  FRAME_FIELDS,
  GROUP_FIELDS,
  MAP_FIELDS,
  REGISTER_FIELDS,
  SOURCE_FIELDS,
  TEST_FIELDS,
} from './document-fields.ts'
import type { Field } from './fields.ts'
import { REGISTER_MAP_GROUPS_MAX, REGISTER_MAP_REGISTERS_MAX, REGISTER_MAP_TESTS_MAX } from './limits.ts'

type Schema = Readonly<Record<string, unknown>>

function fieldSchema(field: Field): Schema {
  const schema = field.schema as Schema
  const description = field.description
  if (!('fallback' in field)) return { ...schema, description }
  const { type, enum: values, ...rest } = schema as { type?: string | string[]; enum?: unknown[] }
  if (type === undefined) return { ...rest, description }
  return {
    ...rest,
    type: [type, 'null'].flat(),
    ...(values && { enum: [...values, null] }),
    ...(field.fallback !== null && { default: field.fallback }),
    description,
  }
}

const objectOf = (fields: readonly Field[], more: Record<string, Schema> = {}): Schema => ({
  type: 'object',
  properties: { ...Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])), ...more },
  required: fields.filter((field) => !('fallback' in field)).map(({ name }) => name),
})

/** The format as JSON Schema for the API description. The validation is stricter. */
export const documentSchema = (): Schema =>
  schemaWithTests(
    TEST_FIELDS,
    'Golden frames: recorded data of a device with the expected values. They are run at the upload.',
  )

/** The schema of a document whose frames need no expected values. */
export const framesSchema = (): Schema =>
  schemaWithTests(FRAME_FIELDS, 'Recorded data of a device, with or without expected values.')

const schemaWithTests = (testFields: readonly Field[], description: string): Schema =>
  objectOf(MAP_FIELDS, {
    source: { ...objectOf(SOURCE_FIELDS), description: 'Source of the addresses.' },
    defaults: { ...objectOf(BUS_FIELDS), description: 'Default communication settings of the device.' },
    poll_groups: {
      type: 'object',
      maxProperties: REGISTER_MAP_GROUPS_MAX,
      additionalProperties: objectOf(GROUP_FIELDS),
      description: 'Poll groups (registers that are read together), by name.',
    },
    registers: {
      type: 'array',
      maxItems: REGISTER_MAP_REGISTERS_MAX,
      items: objectOf(REGISTER_FIELDS),
      description: 'Registers of the device, one value each.',
    },
    tests: {
      type: 'array',
      maxItems: REGISTER_MAP_TESTS_MAX,
      items: objectOf(testFields),
      description,
    },
  })
