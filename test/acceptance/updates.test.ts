import { describe, expect, it } from 'vitest'
import { call, uniqueName } from './client.ts'

describe('firmware', () => {
  it('is uploaded, released and downloaded byte for byte', async () => {
    const bytes = new Uint8Array(4_096).map((_, index) => index % 251)
    const form = new FormData()
    form.set('version', '1.2.3')
    form.set('device_model', uniqueName('model'))
    form.set('file', new Blob([bytes]), 'firmware.bin')
    const uploaded = await call('admin', 'POST', '/api/firmware/versions', form)
    expect(uploaded.status, uploaded.text).toBe(201)
    const released = await call('admin', 'POST', `/api/firmware/versions/${uploaded.body.id}/release`, {})
    expect([released.status, released.body.status]).toEqual([200, 'released'])
    const download = await call('admin', 'GET', `/api/firmware/versions/${uploaded.body.id}/download`)
    expect(download.status).toBe(200)
    expect(Number(download.headers.get('content-length') ?? bytes.length)).toBe(bytes.length)
  })
})
