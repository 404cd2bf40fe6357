import { randomUUID } from 'node:crypto'
import type { TestApi } from '../api.ts'
import type { TestTenant, TestUser } from '../tenants.ts'

export interface LotoFixture {
  readonly api: TestApi
  readonly tenant: TestTenant
  readonly subregionId: string
}

/** A subregion of a tenant for points. */
export async function setUpLoto(api: TestApi, tenant: TestTenant): Promise<LotoFixture> {
  const token = tenant.admin.token
  const region = await api.call('POST', '/api/regions', { token, body: { name: `region ${randomUUID()}` } })
  const subregion = await api.call('POST', '/api/subregions', {
    token,
    body: { name: 'Pres hattı', region_id: region.body.id },
  })
  return { api, tenant, subregionId: subregion.body.id }
}

export async function createPoint(
  { api, tenant, subregionId }: LotoFixture,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const response = await api.call('POST', '/api/loto/points', {
    token: tenant.operator.token,
    body: {
      name: `point ${randomUUID()}`,
      subregion_id: subregionId,
      energy_type: 'electrical',
      isolation_method: 'Ana şalter açıldı',
      location: 'Pano odası 2',
      ...fields,
    },
  })
  if (response.status !== 201) throw new Error(response.text)
  return response.body.id
}

export const TRANSITIONS = ['approve', 'reject', 'apply', 'release'] as const

/** Functions for sessions; the operator requests, the admin approves. */
export function lotoCalls({ api, tenant }: LotoFixture) {
  const post = (path: string, user: TestUser, body?: unknown) =>
    api.call('POST', `/api/loto/${path}`, { token: user.token, ...(body !== undefined && { body }) })
  const transition = (
    id: string,
    name: (typeof TRANSITIONS)[number],
    { user = tenant.admin, body = {} } = {},
  ) => post(`sessions/${id}/${name}`, user, body)
  const request = async (pointIds: readonly string[], user = tenant.operator): Promise<string> => {
    const response = await post('sessions', user, {
      title: 'Rulman değişimi',
      reason: 'Yatak sıcaklığı yüksek',
      point_ids: pointIds,
    })
    if (response.status !== 201) throw new Error(response.text)
    return response.body.id
  }
  /** Places a lock at each point, applies the session, and removes the locks: an applied session without locks. */
  const applyLocked = async (id: string, user = tenant.superuser) => {
    const { point_ids } = (await get(id)).body
    const lockIds: string[] = []
    for (const pointId of point_ids) {
      const placed = await lock(id, pointId, user)
      if (placed.status !== 201) throw new Error(placed.text)
      lockIds.push(placed.body.id)
    }
    const response = await transition(id, 'apply')
    for (const lockId of lockIds) await unlock(lockId, user)
    return response
  }
  /** A session in the given status. */
  const inStatus = async (status: string, pointIds: readonly string[]): Promise<string> => {
    const id = await request(pointIds)
    const path: Record<string, readonly (typeof TRANSITIONS)[number][]> = {
      pending: [],
      rejected: ['reject'],
      approved: ['approve'],
      applied: ['approve', 'apply'],
      released: ['approve', 'apply', 'release'],
    }
    for (const name of path[status] ?? []) {
      const response = name === 'apply' ? await applyLocked(id) : await transition(id, name)
      if (response.status !== 200) throw new Error(response.text)
    }
    return id
  }
  const get = (id: string, rest = '') =>
    api.call('GET', `/api/loto/sessions/${id}${rest}`, { token: tenant.viewer.token })
  const put = (id: string, body: unknown, user = tenant.operator) =>
    api.call('PUT', `/api/loto/sessions/${id}`, { token: user.token, body })
  const lock = (session_id: string, point_id: string, user = tenant.operator, lock_number?: unknown) =>
    post('locks', user, { session_id, point_id, ...(lock_number !== undefined && { lock_number }) })
  const unlock = (id: string, user = tenant.operator, rest: { query?: string; body?: unknown } = {}) =>
    api.call('DELETE', `/api/loto/locks/${id}${rest.query ?? ''}`, {
      token: user.token,
      ...(rest.body !== undefined && { body: rest.body }),
    })
  return { post, transition, request, applyLocked, inStatus, get, put, lock, unlock }
}
