import type { ColumnType } from 'kysely'

/**
 * The types of the jsonb columns, by table and column. An area declares its own columns next to the type that
 * it stores there:
 *
 *   declare module '../../../platform/db/json-columns.ts' {
 *     interface JsonColumns {
 *       'widget.position': Position
 *     }
 *   }
 *
 * The generated table types refer to these declarations, so that reading a column gives its type and writing
 * takes the JSON text of a value of this type only. A jsonb column without a declaration does not compile.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the areas fill it by declaration merging.
export interface JsonColumns {}

declare const encodedType: unique symbol

/** The JSON text of a value of type `T`, as `toJson` returns it. */
export type JsonText<T> = string & { readonly [encodedType]: T }

/** The type of a jsonb column in the generated table types. */
export type JsonColumn<Name extends keyof JsonColumns> = ColumnType<
  JsonColumns[Name],
  JsonText<JsonColumns[Name]>,
  JsonText<JsonColumns[Name]>
>

/** A JSON object whose keys are chosen by a client, a device or a station. */
export type JsonObject = Readonly<Record<string, unknown>>

/**
 * Encodes a value for a jsonb column. Plain SQL names the type of the column:
 * `toJson<JsonColumns['widget.position']>(position)`.
 */
export const toJson = <T>(value: T): JsonText<T> => JSON.stringify(value) as JsonText<T>
