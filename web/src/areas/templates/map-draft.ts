/** A register map as it is edited: its registers and frames are the texts of their controls. */
import type { Issue } from '../../../../clients/typescript/src/index.ts'
import { bodyOf, type FieldValues, type JsonSchema, textsOf } from '../../forms/schema.ts'

type Json = Readonly<Record<string, unknown>>

export interface MapDraft {
  /** What is not edited: the format, and what a newer service has. */
  readonly rest: Json
  /** What applies to the whole map: maker, model, source, transports, defaults, poll groups. */
  readonly head: FieldValues
  readonly registers: readonly FieldValues[]
  readonly frames: readonly FieldValues[]
}

/** The schemas of the rows, from the API document. */
export interface MapSchemas {
  readonly head: JsonSchema
  readonly register: JsonSchema
  readonly frame: JsonSchema
}

export const EMPTY_MAP: Json = {
  format: 'ems-register-map/1',
  transports: ['modbus_tcp'],
  registers: [],
  tests: [],
}

const rowsOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : [])

/** The fields of the head in the schema of a map. */
export function headOf({ properties = {}, required = [] }: JsonSchema): JsonSchema {
  const { format, registers, tests, ...head } = properties
  return { type: 'object', properties: head, required: required.filter((name) => Object.hasOwn(head, name)) }
}

export function draftOf(document: Json, { head, register, frame }: MapSchemas): MapDraft {
  const { registers, tests, ...others } = document
  const isRest = ([name]: readonly [string, unknown]) => !Object.hasOwn(head.properties ?? {}, name)
  return {
    rest: Object.fromEntries(Object.entries(others).filter(isRest)),
    head: textsOf(head, others),
    registers: rowsOf(registers).map((row) => textsOf(register, row)),
    frames: rowsOf(tests).map((row) => textsOf(frame, row)),
  }
}

/** Texts of numbers are numbers in a list of values that stand for "no value". */
const numbersOf = (values: unknown): unknown =>
  Array.isArray(values)
    ? values.map((value) => (/^-?\d+(\.\d+)?$/.test(String(value)) ? Number(value) : value))
    : values

/** The document of a draft. Throws `NotJsonError` for a cell that should be JSON. */
export function documentOf(draft: MapDraft, { head, register, frame }: MapSchemas): Json {
  const { rest, registers, frames } = draft
  return {
    ...rest,
    ...bodyOf(head, draft.head),
    registers: registers.map((row) => {
      const { na_values, ...body } = bodyOf(register, row)
      return na_values === undefined ? body : { ...body, na_values: numbersOf(na_values) }
    }),
    tests: frames.map((row) => bodyOf(frame, row)),
  }
}

/** Faults by their cells, such as `registers.3.unit`; and those of no cell, with their positions. */
export interface MapFaults {
  readonly cells: Readonly<Record<string, string>>
  /** Those of the head, by its fields. */
  readonly head: Readonly<Record<string, string>>
  readonly others: readonly string[]
}
export const NO_FAULTS: MapFaults = { cells: {}, head: {}, others: [] }

export function faultsOfIssues(issues: readonly Issue[]): MapFaults {
  const cells: Record<string, string> = {}
  const head: Record<string, string> = {}
  const others: string[] = []
  for (const { loc, msg } of issues) {
    const [, list, index, field, ...rest] = loc
    if ((list === 'registers' || list === 'tests') && index !== undefined && field !== undefined) {
      const text = rest.length > 0 ? `${rest.join('.')}: ${msg}` : msg
      const cell = `${list}.${index}.${field}`
      cells[cell] = cells[cell] === undefined ? text : `${cells[cell]}; ${text}`
    } else {
      const path = loc.slice(1).join('.')
      head[path] = msg
      others.push(`${path}: ${msg}`)
    }
  }
  return { cells, head, others }
}
