import { randomBytes, randomUUID } from 'node:crypto'
import { DATA_PATHS } from '../../../src/areas/insight/widgets/types.ts'
import type { ApiResponse, TestApi } from '../api.ts'
import { dumpTenant } from '../dump.ts'
import { post, unique } from '../foreign-fixture.ts'
import { BODIES, QUERIES, RECORD_FACTORIES } from '../foreign-records.ts'
import type { TestTenant } from '../tenants.ts'
import { OWN_PATHS, type OwnBody } from './bodies.ts'
import { kindOf, type Operation } from './fields.ts'
import { idsInPath } from './path-ids.ts'
import type { Kind, TenantRecords } from './records.ts'

export interface Finding {
  /** The operation with the position of the id. */
  readonly where: string
  readonly why: string
}

interface WalkOptions {
  readonly api: TestApi
  /** The tenant that calls, as its admin, with the ids of the other one. */
  readonly caller: TestTenant
  readonly callerRecords: TenantRecords
  readonly victimRecords: TenantRecords
  /** Ids and names that only the victim has. */
  readonly secrets: ReadonlySet<string>
  readonly bodies: Readonly<Record<string, readonly OwnBody[]>>
}

interface Request {
  readonly method: string
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const SECRET = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{12,}/g
export const secretsIn = (text: string): string[] => text.match(SECRET) ?? []

/** The folder of exports belongs to the processes of the service, so its id is in the rows of every tenant. */
const SHARED_COLUMNS = ['data_export.location']

/** All ids and random names in the rows of a tenant. */
export async function secretsOf(api: TestApi, tenantId: number): Promise<Set<string>> {
  const rows = [...(await dumpTenant(api, tenantId, SHARED_COLUMNS)).values()].flat()
  return new Set(rows.flatMap(secretsIn))
}

const unknownOf = (kind: Kind): string => {
  if (kind === 'tag') return randomBytes(10).toString('hex')
  return kind === 'cpid' ? `CP-${randomUUID()}` : randomUUID()
}

const CHANGING_HEADERS = new Set(['date', 'x-request-id', 'content-length'])
/** What a client sees of a response, without the value that it sent and what differs in each response. */
function visible({ status, headers, text }: ApiResponse, sent: string): string {
  const kept = [...headers].filter(([name]) => !CHANGING_HEADERS.has(name))
  const whole = JSON.stringify([status, kept, text]).replaceAll(sent, '<id>')
  // A record that was created has an id and a number of its own.
  return status < 300 ? whole.replaceAll(SECRET, '<own id>').replaceAll(/(number\\":)\d+/g, '$1') : whole
}

/** Replaces the values at a path such as `samples[].device_id`; undefined when the body has none there. */
function substitute(body: unknown, path: string, value: string): object | undefined {
  const steps = path.replaceAll('[]', '.[]').split('.')
  let count = 0
  const at = (node: unknown, index: number): unknown => {
    if (index === steps.length) {
      count += 1
      return value
    }
    const step = steps[index] ?? ''
    if (step === '[]') return Array.isArray(node) ? node.map((item) => at(item, index + 1)) : node
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, step)) return node
    return { ...node, [step]: at((node as Record<string, unknown>)[step], index + 1) }
  }
  const replaced = at(body, 0)
  return count > 0 ? (replaced as object) : undefined
}

/** The same with the value after the own one, for a list of ids. */
function append(body: unknown, path: string, value: string): object | undefined {
  if (!path.endsWith('[]') || path.indexOf('[]') !== path.length - 2) return undefined
  const steps = path.slice(0, -2).split('.')
  const copy = structuredClone(body) as Record<string, unknown>
  let node: unknown = copy
  for (const step of steps) node = (node as Record<string, unknown> | undefined)?.[step]
  if (!Array.isArray(node)) return undefined
  node.push(value)
  return copy
}

export const hasField = (body: object, path: string): boolean => substitute(body, path, '') !== undefined

/** Paths of ids in fields for any JSON that the own bodies contain: `config.device_id`. */
const HIDDEN_IDS: Readonly<Record<string, readonly string[]>> = {
  'POST /api/widgets': ['config.device_id', 'config.device_ids[]'],
  'PUT /api/widgets/:id': ['config.device_id', 'config.device_ids[]'],
}

const resourceOf = (url: string): string => url.slice(0, /^.*\/:[a-z_]+/.exec(url)?.[0].length)
const fill = (url: string, ids: Readonly<Record<string, string>>): string =>
  url.replaceAll(/:([a-z_]+)/g, (_all, name: string) => ids[name] ?? '')

/** Header fields that select a part of a response or make it conditional, which must not be evaluated first. */
const VARIANTS: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>> = {
  GET: [{}, { range: 'bytes=0-3' }, { 'if-none-match': '*' }, { range: 'bytes=99999999-' }],
  PUT: [{}, { 'if-match': '*' }, { 'if-match': '"stale"' }],
  PATCH: [{}, { 'if-match': '*' }, { 'if-match': '"stale"' }],
  DELETE: [{}, { 'if-match': '*' }, { 'if-match': '"stale"' }],
}

/** Lists that are empty for a tenant without such a record. */
const MISSING_RECORDS: Readonly<Record<string, string>> = {
  'GET /api/ocpp/authority': 'the tenant has not created its authority',
}

/** Queries of lists that need one. */
const LIST_QUERIES: Readonly<Record<string, (own: TenantRecords) => Readonly<Record<string, string>>>> = {
  'GET /api/measurements/aggregated': (own) => ({ device_id: own.device }),
  'GET /api/measurements/reactive-ratio': (own) => ({ device_id: own.device }),
  'GET /api/measurements/latest': (own) => ({ device_ids: own.device }),
  'GET /api/mahsuplasma/comparison': (own) => ({ facility_ids: own.facility }),
  'GET /api/mahsuplasma/forecast': (own) => ({ facility_ids: own.facility }),
  'GET /api/mahsuplasma/scenarios/comparison': (own) => ({ ids: own.scenario }),
}

const WIDGET_DATA = '/api/widgets/:id/data/'
/** The type of the widgets whose data an operation returns. */
const widgetTypeOf = (url: string) =>
  Object.entries(DATA_PATHS).find(([, path]) => url === WIDGET_DATA + path)?.[0]

/** The form of a body with a file. */
function formOf(body: unknown): FormData | undefined {
  if (typeof body !== 'object' || body === null || !('file' in body) || body instanceof FormData)
    return undefined
  const form = new FormData()
  for (const [name, value] of Object.entries(body)) {
    if (name === 'file') form.append(name, new Blob([String(value)]), 'file.csv')
    else form.append(name, String(value))
  }
  return form
}

export function makeWalk(options: WalkOptions) {
  const { api, caller, callerRecords, victimRecords, secrets, bodies } = options
  // The records that requests change have to be those of the calling admin.
  const fixture = { api, tenant: { ...caller, superuser: caller.admin, admin: caller.superuser } }
  const findings: Finding[] = []
  const walked = new Set<string>()

  async function send(where: string, request: Request, sent = ''): Promise<ApiResponse> {
    const { method, path, query, body, headers } = request
    const search = query ? `?${new URLSearchParams(query)}` : ''
    const response = await api.call(method, path + search, {
      token: caller.admin.token,
      ...(body !== undefined && { body: formOf(body) ?? body }),
      ...(headers && { headers }),
    })
    const leaked = secretsIn(response.text).filter((secret) => secrets.has(secret) && !sent.includes(secret))
    if (leaked.length > 0) findings.push({ where, why: `discloses ${leaked.join()}` })
    if (response.status >= 500) findings.push({ where, why: `${response.status} ${response.text}` })
    return response
  }

  /** Sends the same request with an id of the victim and with an unknown one. */
  async function compare(
    where: string,
    ids: { readonly foreign: string; readonly unknown: string },
    requestWith: (id: string) => Request,
  ): Promise<ApiResponse> {
    walked.add(where)
    const first = await send(where, requestWith(ids.foreign), ids.foreign)
    const second = await send(where, requestWith(ids.unknown), ids.unknown)
    const [foreign, unknown] = [visible(first, ids.foreign), visible(second, ids.unknown)]
    if (foreign !== unknown) findings.push({ where, why: `${foreign} against ${unknown}` })
    return second
  }

  const ownPath = async (url: string): Promise<Readonly<Record<string, string>>> =>
    (await RECORD_FACTORIES[resourceOf(url)]?.(fixture)) ?? {}
  async function ownWidget(url: string): Promise<Readonly<Record<string, string>>> {
    const [device_id, subregion_id] = [callerRecords.device, callerRecords.subregion]
    const body = {
      subregion_id,
      widget_type: widgetTypeOf(url),
      title: unique('widget'),
      config: { device_id },
    }
    return { id: await post(fixture, '/api/widgets', body) }
  }
  const queryOf = (key: string) => Object.fromEntries(new URLSearchParams(QUERIES[key] ?? ''))
  const bodyOf = async (key: string) => ((await BODIES[key]?.(fixture)) ?? {}) as object

  /** An id of the path: those before it are our own, it and those behind it are the victim's. */
  async function walkPath(operation: Operation, foreign: Readonly<Record<string, string>>) {
    const { key, method, url, hasBody } = operation
    const names = idsInPath(url)
    const own = names.length > 1 ? await ownPath(url) : {}
    const unknown = { ...foreign, ...Object.fromEntries(names.map((name) => [name, randomUUID()])) }
    for (const [index, name] of names.entries()) {
      const before = Object.fromEntries(names.slice(0, index).map((each) => [each, own[each] ?? '']))
      const request = (ids: Readonly<Record<string, string>>) => fill(url, { ...ids, ...before })
      for (const headers of VARIANTS[method] ?? [{}]) {
        const body = hasBody ? await bodyOf(key) : undefined
        const ids = { foreign: foreign[name] ?? '', unknown: unknown[name] ?? '' }
        await compare(`${key} path.${name}`, ids, (id) => ({
          ...{ method, headers, query: queryOf(key) },
          path: request(id === ids.foreign ? foreign : unknown),
          ...(body && { body }),
        }))
        if (method === 'GET')
          await compare(`${key} path.${name}`, ids, (id) => ({
            ...{ method: 'HEAD', headers, query: queryOf(key) },
            path: request(id === ids.foreign ? foreign : unknown),
          }))
      }
    }
  }

  async function walkQuery({ key, method, url, queryIds }: Operation): Promise<void> {
    const path = fill(url, OWN_PATHS[key]?.(callerRecords) ?? (await ownPath(url)))
    for (const name of queryIds) {
      const kind = kindOf(key, name)
      if (!kind) continue
      const ids = { foreign: victimRecords[kind], unknown: unknownOf(kind) }
      const request = (id: string) => ({ method, path, query: { ...queryOf(key), [name]: id } })
      await compare(`${key} query.${name}`, ids, request)
      const { status, text } = await send(`${key} query.${name}`, request(callerRecords[kind]))
      if (status >= 300)
        findings.push({ where: `${key} query.${name}`, why: `own record: ${status} ${text}` })
    }
  }

  /** One field of a body: the rest of it is our own and valid. */
  async function walkField(operation: Operation, request: { path: string; body: object }, field: string) {
    const { key, method } = operation
    const kind = kindOf(key, field)
    if (!kind) return []
    const where = `${key} body.${field}`
    const ids = { foreign: victimRecords[kind], unknown: unknownOf(kind) }
    const answers: ApiResponse[] = []
    for (const change of [substitute, append]) {
      if (!change(request.body, field, ids.unknown)) continue
      const query = queryOf(key)
      answers.push(
        await compare(where, ids, (id) => ({
          ...{ method, query, path: request.path },
          body: change(request.body, field, id),
        })),
      )
    }
    return answers.map((unknown) => ({ where, unknown }))
  }

  async function walkBody(operation: Operation): Promise<void> {
    const { key, method, url, bodyIds } = operation
    for (const make of bodies[key] ?? []) {
      const path = OWN_PATHS[key]?.(callerRecords) ?? (await ownPath(url))
      const request = { path: fill(url, path), body: make(callerRecords) }
      const fields = [...bodyIds, ...(HIDDEN_IDS[key] ?? [])]
      const answers = []
      for (const field of fields) answers.push(...(await walkField(operation, request, field)))
      const own = await send(key, { method, query: queryOf(key), ...request })
      for (const { where, unknown } of answers)
        if (own.status === unknown.status && own.text === unknown.text)
          findings.push({ where, why: `the id changes nothing: ${own.status} ${own.text}` })
    }
  }

  return {
    findings,
    /** The fields that were compared: `PUT /api/users/:id body.role_ids[]`. */
    walked,
    walkPath,
    walkQuery,
    walkBody,
    /** Reads a list, whose response must contain nothing of the victim. */
    async walkList({ key, url }: Operation): Promise<void> {
      const path = fill(url, widgetTypeOf(url) ? await ownWidget(url) : await ownPath(url))
      const query = { ...queryOf(key), ...LIST_QUERIES[key]?.(callerRecords) }
      const { status, text } = await send(key, { method: 'GET', path, query })
      const isExpected = status === 200 || status === 403 || (status === 404 && MISSING_RECORDS[key])
      if (!isExpected) findings.push({ where: key, why: `own list: ${status} ${text}` })
    },
  }
}
