import { describe, expect, it } from 'vitest'
import { call, create, createSubregion, uniqueName } from './client.ts'

describe('sites and equipment', () => {
  it('are created, changed, listed and deleted', async () => {
    const name = uniqueName('region')
    const region = await create('admin', '/api/regions', { name })
    const changed = await call('admin', 'PUT', `/api/regions/${region.id}`, { name, code: '34' })
    expect([changed.status, changed.body.code]).toEqual([200, '34'])
    const listed = await call('viewer', 'GET', `/api/regions?name=${encodeURIComponent(name)}`)
    expect(listed.body).toMatchObject({ total: 1, items: [{ id: region.id }] })
    expect((await call('admin', 'DELETE', `/api/regions/${region.id}`)).status).toBe(204)
    expect((await call('viewer', 'GET', `/api/regions/${region.id}`)).status).toBe(404)
  })

  it('reject a name that is taken, and the deletion of a region in use', async () => {
    const name = uniqueName('region')
    const region = await create('admin', '/api/regions', { name })
    expect((await call('admin', 'POST', '/api/regions', { name })).status).toBe(409)
    await create('admin', '/api/subregions', { name: uniqueName('subregion'), region_id: region.id })
    expect((await call('admin', 'DELETE', `/api/regions/${region.id}`)).status).toBe(409)
  })

  it('assign a device to a gateway and a template', async () => {
    const subregionId = await createSubregion()
    const gateway = await create('admin', '/api/gateways', {
      name: uniqueName('gateway'),
      gateway_type: 'mqtt',
      subregion_id: subregionId,
    })
    const templates = await call('viewer', 'GET', '/api/devices/device-templates?limit=1')
    expect(templates.body.items).toHaveLength(1)
    const device = await create('admin', '/api/devices', {
      name: uniqueName('meter'),
      device_type: 'energy_analyzer',
      device_source: 'manual',
      mqtt_gateway_id: gateway.id,
      template_id: templates.body.items[0].id,
    })
    const read = await call('viewer', 'GET', `/api/devices/${device.id}`)
    expect(read.body).toMatchObject({ id: device.id, mqtt_gateway_id: gateway.id })
  })
})
