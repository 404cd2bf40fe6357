import { randomBytes } from 'node:crypto'
import type { TestApi } from '../api.ts'
import { mapDocument } from '../field/modbus-map.ts'
import { connectStation, createCharger } from '../field/ocpp.ts'
import { post, unique } from '../foreign-fixture.ts'
import { addFacts, hourlyFacts } from '../netting/energy.ts'
import { invoiceCheck } from '../netting/invoice-records.ts'
import { makeGroup } from '../netting/netting.ts'
import type { TestTenant } from '../tenants.ts'
import { waitFor } from '../wait-for.ts'
import type { TenantRecords } from './records.ts'

type PathIds = Readonly<Record<string, string>>

/** By operation: the ids of a file that exists and that its tenant can download. */
export type Downloads = Readonly<Record<string, PathIds>>

async function completeExport(api: TestApi, { admin }: TestTenant, device: string): Promise<string> {
  const body = {
    ...{ device_ids: [device], start: '2026-11-01', end: '2026-11-02', metrics: ['voltage'] },
    ...{ interval: 'raw', format: 'csv', async: true },
  }
  const { body: started } = await api.call('POST', '/api/measurements/export', { token: admin.token, body })
  await waitFor(async () => {
    const path = `/api/measurements/exports/${started.export_id}`
    return (await api.call('GET', path, { token: admin.token })).body.status === 'completed'
  })
  return started.export_id
}

/** A file that a station uploaded to the address that it was given. */
async function uploadChargerFile(api: TestApi, tenant: TestTenant): Promise<PathIds> {
  const charger = await createCharger(api, tenant)
  const station = await connectStation(api, charger)
  station.onCall('GetDiagnostics', () => ({ fileName: 'diagnostics.zip' }))
  const { body } = await api.call('POST', `/api/ocpp/chargers/${charger.id}/files`, {
    ...{ token: tenant.admin.token, body: { kind: 'diagnostics' } },
  })
  await waitFor(() => station.called.length === 1)
  const { location } = station.called[0]?.payload ?? {}
  await fetch(location, { method: 'PUT', body: new Uint8Array(randomBytes(1_000)) })
  await station.end()
  return { id: charger.id, file_id: body.file_id }
}

/** A group with a calculated hour. */
async function calculateGroup(api: TestApi, tenant: TestTenant): Promise<string> {
  const group = await makeGroup(api.deps, tenant, { members: [{ role: 'mixed' }] })
  const [from, to] = ['2026-11-01T00:00:00+03:00', '2026-11-01T01:00:00+03:00']
  const meter = { facilityId: group.facilities[0]?.id ?? '', role: 'main_consumption' } as const
  await addFacts(
    api.deps,
    tenant,
    hourlyFacts({ from, to }, meter, () => ({ consumption: '1.000' })),
  )
  const calculated = await api.call('POST', `/api/mahsuplasma/groups/${group.id}/calculate`, {
    ...{ token: tenant.admin.token, body: { from_hour: from, to_hour: to } },
  })
  if (calculated.status !== 201 && calculated.status !== 200) throw new Error(calculated.text)
  return group.id
}

/** Creates a file for every operation that returns one. */
export async function createDownloads(
  api: TestApi,
  tenant: TestTenant,
  records: TenantRecords,
): Promise<Downloads> {
  const template = await post({ api, tenant }, '/api/devices/device-templates', {
    ...{ name: unique('template'), device_type: 'energy_analyzer' },
    register_map: mapDocument([{ key: 'voltage', address: 10, metric: 'voltage' }]),
  })
  const group = { id: await calculateGroup(api, tenant) }
  const check = { id: await invoiceCheck({ api, tenant }, group.id) }
  return {
    'GET /api/devices/device-templates/:id/register-map/download': { id: template },
    'GET /api/measurements/exports/:id/download': { id: await completeExport(api, tenant, records.device) },
    'GET /api/firmware/versions/:id/download': { id: records.firmware },
    'GET /api/loto/sessions/:id/record.pdf': { id: records.loto_session },
    'GET /api/ocpp/chargers/:id/files/:file_id/download': await uploadChargerFile(api, tenant),
    'GET /api/mahsuplasma/groups/:id/audit-package': group,
    'GET /api/mahsuplasma/groups/:id/report': group,
    'GET /api/mahsuplasma/invoice-checks/:id/file': check,
    'GET /api/mahsuplasma/invoice-checks/:id/objection': check,
    'GET /api/mahsuplasma/invoice-checks/:id/report': check,
    'GET /api/mahsuplasma/scenarios/:id/report': { id: records.scenario },
  }
}
