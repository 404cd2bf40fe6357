import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectSameResponse, type Registry, refusal, startRegistry } from '../../support/netting/registry.ts'

let registry: Registry

beforeAll(async () => {
  registry = await startRegistry()
})
afterAll(() => registry.close())

describe('netting scopes', () => {
  it('are created, listed by name and changed', async () => {
    const { admin, viewer } = registry
    for (const name of ['Zeta', 'Alfa', 'Kappa'])
      expect((await admin.post('/scopes', { name })).status).toBe(201)
    const list = await viewer.get('/scopes?limit=2&offset=1')
    expect(list.headers.get('x-total-count')).toBe('3')
    expect(list.body.map((scope: { name: string }) => scope.name)).toEqual(['Kappa', 'Zeta'])
    const [scope] = list.body
    expect(scope).toMatchObject({ declaration_source: null, declared_by: null, declared_at: null })
    const changed = await admin.patch(`/scopes/${scope.id}`, { notes: 'n', external_party_ref: 'r' })
    expect(changed.body).toEqual({ ...scope, notes: 'n', external_party_ref: 'r' })
    const cleared = await admin.patch(`/scopes/${scope.id}`, { notes: null })
    expect(cleared.body).toEqual({ ...scope, notes: null, external_party_ref: 'r' })
    expect((await admin.patch(`/scopes/${scope.id}`, { name: null })).status).toBe(422)
    expect((await admin.patch(`/scopes/${scope.id}`, {})).body.external_party_ref).toBe('r')
  })

  it('are rejected with 409 in the nested shape for a duplicate name', async () => {
    const { admin, foreignCaller } = registry
    await admin.post('/scopes', { name: 'Twice' })
    const second = await admin.post('/scopes', { name: 'Twice' })
    expect(second.body).toMatchObject({
      detail: { error_code: 'DUPLICATE_ENTRY', message: 'a scope with this name exists' },
    })
    expect(second.status).toBe(409)
    expect((await foreignCaller.post('/scopes', { name: 'Twice' })).status).toBe(201)
    const other = await admin.post('/scopes', { name: 'Once' })
    expect(refusal(await admin.patch(`/scopes/${other.body.id}`, { name: 'Twice' }))).toEqual([
      409,
      'DUPLICATE_ENTRY',
    ])
  })

  it('ignore declaration fields outside of the declare operation', async () => {
    const body = { name: 'Sly', declaration_source: 'gts_report', declared_by: registry.ownTenant.admin.id }
    expect((await registry.admin.post('/scopes', body)).body).toMatchObject({
      declaration_source: null,
      declared_by: null,
    })
  })

  it('are declared with the same or a stronger source, and a weaker source is rejected', async () => {
    const { admin, api, ownTenant } = registry
    const { body: scope } = await admin.post('/scopes', { name: 'Declared' })
    const declare = (body: object) => admin.post(`/scopes/${scope.id}/declare-same-official-party`, body)
    const first = await declare({ declaration_source: 'official_document' })
    expect(first.status).toBe(201)
    expect(first.body).toEqual({
      ...scope,
      declaration_source: 'official_document',
      declared_by: ownTenant.admin.id,
      declared_at: new Date(api.clock.now()).toISOString(),
    })
    expect(refusal(await declare({ declaration_source: 'customer_declaration' }))).toEqual([
      409,
      'PROVENANCE_DOWNGRADE',
    ])
    for (const source of ['official_document', 'lum_report', 'gts_report', 'lum_report']) {
      expect((await declare({ source })).body.declaration_source).toBe(source)
    }
    expect(refusal(await declare({ source: 'official_document' }))).toEqual([409, 'PROVENANCE_DOWNGRADE'])
    for (const body of [
      { source: 'not_checked' },
      {},
      { source: 'lum_report', declaration_source: 'gts_report' },
    ]) {
      expect((await declare(body)).status).toBe(422)
    }
  })

  it('keep the stronger of two concurrent declarations, whichever comes first', async () => {
    const { admin } = registry
    for (let round = 0; round < 5; round += 1) {
      const { body: scope } = await admin.post('/scopes', { name: `Race ${round}` })
      const path = `/scopes/${scope.id}/declare-same-official-party`
      await Promise.all(
        ['lum_report', 'customer_declaration', 'official_document'].map((source) =>
          admin.post(path, { source }),
        ),
      )
      const list = await admin.get('/scopes?limit=500')
      const stored = list.body.find((each: { id: string }) => each.id === scope.id)
      expect(stored.declaration_source).toBe('lum_report')
    }
  })

  it('of another tenant are answered like unknown ones', async () => {
    const { admin, foreignCaller, viewer } = registry
    const { body: scope } = await admin.post('/scopes', { name: 'Ours' })
    await expectSameResponse(scope.id, (id) => foreignCaller.patch(`/scopes/${id}`, { name: 'x' }))
    const body = { source: 'gts_report' }
    await expectSameResponse(scope.id, (id) =>
      foreignCaller.post(`/scopes/${id}/declare-same-official-party`, body),
    )
    expect((await foreignCaller.get('/scopes')).text).not.toContain(scope.id)
    expect((await viewer.post('/scopes', { name: 'x' })).status).toBe(403)
  })
})
