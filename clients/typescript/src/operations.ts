import type { Operations } from './api.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type OperationName = keyof Operations

/** The paths that have an operation with the method. */
export type PathOf<M extends Method> = OperationName extends infer Name
  ? Name extends `${M} ${infer Path}`
    ? Path
    : never
  : never

type NameOf<M extends Method, P extends string> = Extract<`${M} ${P}`, OperationName>

type Part<Operation, Name extends string> =
  Operation extends Readonly<Record<Name, infer Value>>
    ? { readonly [Key in Name]: Value }
    : Operation extends { readonly [Key in Name]?: infer Value }
      ? { readonly [Key in Name]?: Value | undefined }
      : object

/** Options that every operation has. */
export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** ETag of the version that is to be changed; 412 when the record is another one by now. */
  readonly ifMatch?: string | undefined
  /** Instead of the key that the client creates for operations that honour it. */
  readonly idempotencyKey?: string
  /** Whether the request is sent again after a lost connection; default: GET, PUT, DELETE, and POST with a key. */
  readonly isRepeatable?: boolean
  readonly signal?: AbortSignal
  /** Instead of the timeout of the client. */
  readonly timeoutMs?: number
}

type Parameters<Operation> = Part<Operation, 'path'> & Part<Operation, 'query'> & Part<Operation, 'body'>

/**
 * The arguments of each operation after its path. A mapped type is computed for one operation at a time; a
 * conditional type over the union of all operations would be too complex for the compiler.
 */
type AllArguments = {
  [Name in OperationName]: object extends Parameters<Operations[Name]>
    ? [options?: Parameters<Operations[Name]> & CallOptions]
    : [options: Parameters<Operations[Name]> & CallOptions]
}
export type Arguments<M extends Method, P extends string> = AllArguments[NameOf<M, P>]

type Responses = { [Name in OperationName]: Operations[Name]['response'] }
export type ResponseOf<M extends Method, P extends string> = Responses[NameOf<M, P>]

type Bodies = {
  [Name in OperationName]: Operations[Name] extends { readonly body: infer Body } ? Body : never
}
export type BodyOf<M extends Method, P extends string> = Bodies[NameOf<M, P>]

export interface ApiResponse<T> {
  readonly data: T
  readonly status: number
  readonly headers: Headers
  /** Version of the record, for `ifMatch`. */
  readonly etag: string | undefined
  readonly requestId: string | undefined
}

/** The paths of lists, and the records of a list. */
type ItemOf<Response> = Response extends { readonly items: readonly (infer Item)[]; readonly total: number }
  ? Item
  : Response extends readonly (infer Item)[]
    ? Item
    : never
type HasPages<Operation> = Operation extends { readonly query?: infer Query }
  ? 'skip' extends keyof Query
    ? true
    : 'offset' extends keyof Query
      ? true
      : false
  : false
export type ListPath = {
  [P in PathOf<'GET'>]: HasPages<Operations[NameOf<'GET', P>]> extends true ? P : never
}[PathOf<'GET'>]
export type ListItem<P extends ListPath> = ItemOf<ResponseOf<'GET', P>>
