import { randomUUID } from 'node:crypto'
import type { TestApi } from '../api.ts'
import type { TestTenant, TestUser } from '../tenants.ts'

export interface LotoWorld {
  readonly api: TestApi
  readonly tenant: TestTenant
  readonly subregionId: string
}

/** A tenant's place for points. */
export async function lotoWorld(api: TestApi, tenant: TestTenant): Promise<LotoWorld> {
  const token = tenant.admin.token
  const region = await api.call('POST', '/api/regions', { token, body: { name: `region ${randomUUID()}` } })
  const subregion = await api.call('POST', '/api/subregions', {
    token,
    body: { name: 'Pres hattı', region_id: region.body.id },
  })
  return { api, tenant, subregionId: subregion.body.id }
}

export async function createPoint(
  { api, tenant, subregionId }: LotoWorld,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const answer = await api.call('POST', '/api/loto/points', {
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
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body.id
}

export const MOVES = ['approve', 'reject', 'apply', 'release'] as const

/** What acts on sessions; the operator asks, the admin decides. */
export function lotoCalls({ api, tenant }: LotoWorld) {
  const post = (path: string, user: TestUser, body?: unknown) =>
    api.call('POST', `/api/loto/${path}`, { token: user.token, ...(body !== undefined && { body }) })
  const move = (id: string, name: (typeof MOVES)[number], { user = tenant.admin, body = {} } = {}) =>
    post(`sessions/${id}/${name}`, user, body)
  const request = async (pointIds: readonly string[], user = tenant.operator): Promise<string> => {
    const answer = await post('sessions', user, {
      title: 'Rulman değişimi',
      reason: 'Yatak sıcaklığı yüksek',
      point_ids: pointIds,
    })
    if (answer.status !== 201) throw new Error(answer.text)
    return answer.body.id
  }
  /** Hangs a lock at each point, applies, and takes the locks away again: an applied session with nobody left at work. */
  const applyLocked = async (id: string, user = tenant.superuser) => {
    const { point_ids } = (await get(id)).body
    const hung: string[] = []
    for (const pointId of point_ids) {
      const placed = await lock(id, pointId, user)
      if (placed.status !== 201) throw new Error(placed.text)
      hung.push(placed.body.id)
    }
    const answer = await move(id, 'apply')
    for (const one of hung) await unlock(one, user)
    return answer
  }
  /** A session that has come as far as the status. */
  const inStatus = async (status: string, pointIds: readonly string[]): Promise<string> => {
    const id = await request(pointIds)
    const way: Record<string, readonly (typeof MOVES)[number][]> = {
      pending: [],
      rejected: ['reject'],
      approved: ['approve'],
      applied: ['approve', 'apply'],
      released: ['approve', 'apply', 'release'],
    }
    for (const name of way[status] ?? []) {
      const answer = name === 'apply' ? await applyLocked(id) : await move(id, name)
      if (answer.status !== 200) throw new Error(answer.text)
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
  return { post, move, request, applyLocked, inStatus, get, put, lock, unlock }
}
